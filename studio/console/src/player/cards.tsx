// Playing cards and hands as players see them: white cards, the suit by glyph, word and colour (consoles.md D6).

import { isBack, rankOf, SuitGlyph } from "../shared/cards";
import { amount } from "../shared/format";
import type { HandView } from "../shared/types";
import { totalWord, useTexts } from "./language";

export function PlayingCard({ code, mark = "" }: { code: string; mark?: string | undefined }) {
  const texts = useTexts();
  const marked = mark === "" ? "" : "marked";
  const said = mark === "" ? null : <span class="mark">{texts.marks[mark] ?? mark}</span>;
  if (isBack(code)) {
    return (
      <span class="pcard back" data-card="back" role="img" aria-label={[texts.faceDown, texts.marks[mark] ?? mark].filter(Boolean).join(", ")}>
        <span class="pattern" aria-hidden="true" />
        {said}
      </span>
    );
  }
  const suit = code.charAt(1);
  return (
    <span class={`pcard suit-${suit} ${marked}`} data-card={code}>
      <span class="rank">{rankOf(code)}</span>
      <SuitGlyph suit={suit} />
      <span class="word">{texts.suits[suit]}</span>
      {said}
    </span>
  );
}

export function Cards({ hand }: { hand: { cards: string[]; marks: string[] } }) {
  return (
    <div class="pcards" data-count={Math.min(hand.cards.length, 9)}>
      {hand.cards.map((code, index) => (
        <PlayingCard key={index} code={code} mark={hand.marks[index]} />
      ))}
    </div>
  );
}

interface HandProps {
  hand: HandView;
  /** Over the cards, where it is not clear whose they are. */
  title?: string;
  stake?: boolean;
  extra?: string;
  testid?: string;
}

/** One hand; the white frame marks the active one (consoles.md T3). */
export function PlayerHand({ hand, title, stake = false, extra = "", testid }: HandProps) {
  const texts = useTexts();
  const state = texts.handStates[hand.state] ?? hand.state;
  return (
    <div class={`phand ${hand.active ? "active" : ""} ${hand.state}`} data-active={hand.active} data-testid={testid}>
      {title && <h3>{title}</h3>}
      <Cards hand={hand} />
      <p class="hand-line">
        {hand.total !== "" && <b class="total">{totalWord(texts, hand.total)}</b>}
        {state !== "" && <span class="hand-state">{state}</span>}
        {stake && <span class="hand-stake">{amount(hand.stake)}</span>}
        {extra !== "" && <span class="planned">{extra}</span>}
      </p>
    </div>
  );
}
