// What the player can do right now: the legal actions of the question that is open, each with its cost and key
// (consoles.md T3), or an action chosen ahead; and beside it what must be noticed.

import { amount } from "../shared/format";
import type { HandView } from "../shared/types";
import { whereOf, type Ahead, type Asking } from "./asking";
import { actionWord, totalWord, useTexts } from "./language";
import type { Notes } from "./notes";
import type { PlayerView, PublicView, QuestionView } from "./types";

export const ACTION_KEYS: Record<string, string> = {
  hit: "H",
  stand: "S",
  double: "D",
  split: "P",
  surrender: "R",
  insurance: "I",
  "no-insurance": "N",
  follow: "F",
  "do-not-follow": "N",
};

interface BarProps {
  table: PublicView;
  own: PlayerView;
  asking: Asking;
  ahead: Ahead;
  live: boolean;
  notes: Notes;
}

export function ActionBar({ table, own, asking, ahead, live, notes }: BarProps) {
  const { question } = asking;
  return (
    <div class="bar" data-testid="bar" data-asked={question !== null}>
      {question ? (
        <Question question={question} table={table} own={own} asking={asking} live={live} />
      ) : (
        <Plan table={table} own={own} ahead={ahead} live={live} />
      )}
      <NoteList notes={notes} />
    </div>
  );
}

function askedHand(table: PublicView, own: PlayerView, question: QuestionView): HandView | undefined {
  const hands = table.layout === "shared-hand" ? own.hands : (table.seats.find((seat) => seat.seat === question.seat)?.hands ?? []);
  return hands.find((hand) => hand.active) ?? hands.find((hand) => hand.number === question.hand);
}

function Question({ question, table, own, asking, live }: { question: QuestionView; table: PublicView; own: PlayerView; asking: Asking; live: boolean }) {
  const texts = useTexts();
  const hand = askedHand(table, own, question);
  const where = whereOf(texts, table, own, question.seat, question.hand);
  const ask = [texts.questions[question.kind] ?? question.kind, where].filter(Boolean).join(" · ");
  const half = (action: string): string =>
    action === "surrender" && hand ? texts.givesBackHalf(amount(hand.stake / 2)) : texts.free_of_charge;
  return (
    <div class="asking" role="group" aria-label={ask}>
      <div class="ask-words">
        <p class="ask" role="status" data-testid="question">
          {ask}
          {question.kind === "decision" && hand && <b> · {totalWord(texts, hand.total)}</b>}
        </p>
        <p class="quiet">
          {texts.ifNoAnswer(actionWord(texts, table.variant, question.default))}
          {asking.more > 0 && ` · ${texts.ofQuestions(asking.more)}`}
        </p>
      </div>
      <div class="answers">
        {question.actions.map((action, index) => {
          const cost = question.costs[index] ?? 0;
          return (
            <button
              key={action}
              type="button"
              class={`answer ${action}`}
              data-testid={`action-${action}`}
              disabled={!live || asking.sending}
              onClick={() => asking.answer(action)}
            >
              <span class="answer-word">
                {actionWord(texts, table.variant, action)} <kbd>{ACTION_KEYS[action]}</kbd>
              </span>
              <span class="cost">{cost > 0 ? texts.costs(amount(cost)) : half(action)}</span>
            </button>
          );
        })}
      </div>
    </div>
  );
}

function Plan({ table, own, ahead, live }: { table: PublicView; own: PlayerView; ahead: Ahead; live: boolean }) {
  const texts = useTexts();
  const { hand } = ahead;
  if (hand === null) return <div class="asking" />;
  const title = `${texts.ahead} · ${whereOf(texts, table, own, hand.seat, hand.hand.number)}`;
  return (
    <div class="asking ahead" role="group" aria-label={title}>
      <div class="ask-words">
        <p class="ask" data-testid="ahead">
          {title}
          <b> · {totalWord(texts, hand.hand.total)}</b>
        </p>
        {ahead.others.length > 1 ? (
          <div class="which">
            {ahead.others.map((one) => (
              <button
                key={`${one.seat}/${one.hand.number}`}
                type="button"
                data-testid={`look-${one.seat}-${one.hand.number}`}
                aria-pressed={one.seat === hand.seat && one.hand.number === hand.hand.number}
                onClick={() => ahead.look(one.seat, one.hand.number)}
              >
                {whereOf(texts, table, own, one.seat, one.hand.number)}
              </button>
            ))}
            <kbd>↑ ↓</kbd>
          </div>
        ) : (
          <p class="quiet">{texts.aheadHint}</p>
        )}
      </div>
      <div class="answers">
        {ahead.actions.map((action) => (
          <button
            key={action}
            type="button"
            class="answer plan"
            data-testid={`plan-${action}`}
            aria-pressed={ahead.planned === action}
            disabled={!live}
            onClick={() => ahead.plan(action)}
          >
            <span class="answer-word">
              {actionWord(texts, table.variant, action)} <kbd>{ACTION_KEYS[action]}</kbd>
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}

function NoteList({ notes }: { notes: Notes }) {
  const texts = useTexts();
  return (
    <ul class="notes" aria-live="polite" data-testid="notes">
      {notes.notes.map((note) => (
        <li key={note.id} class={note.tone}>
          <span>{note.text}</span>
          <button type="button" aria-label={`${texts.closeNote}: ${note.text}`} onClick={() => notes.close(note.id)}>
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
