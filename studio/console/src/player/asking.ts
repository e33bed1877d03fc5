// Answers to what the table asks, actions chosen ahead, and what became of a question that nobody answered.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../shared/api";
import type { ServerClock } from "../shared/clock";
import type { HandView } from "../shared/types";
import type { PlayerTexts } from "./english";
import { actionWord } from "./language";
import type { Notes } from "./notes";
import type { PlayerTable } from "./table";
import type { PlayerView, PublicView, QuestionView, Rules } from "./types";

/** A question that goes this close to its deadline without an answer was answered by its default. */
const NEAR_DEADLINE_SECONDS = 0.3;

export const keyOf = (question: QuestionView): string =>
  `${question.kind}/${question.decision}/${question.seat}/${question.hand}`;

/** The hand that a question is about, in words; empty where the player has but one. */
export function whereOf(texts: PlayerTexts, table: PublicView, own: PlayerView, seat: number, hand: number): string {
  if (table.layout !== "seats") {
    // A shared hand's lines 2 and 3 are the first and second hand of those who split.
    if (table.layout === "shared-hand") return own.hands.length > 1 && hand > 1 ? texts.hand(hand - 1) : "";
    return (table.seats[0]?.hands.length ?? 0) > 1 && hand > 0 ? texts.hand(hand) : "";
  }
  const several = (table.seats.find((one) => one.seat === seat)?.hands.length ?? 0) > 1;
  return several && hand > 0 ? `${texts.seat(seat)}, ${texts.hand(hand)}` : texts.seat(seat);
}

export interface Asking {
  question: QuestionView | null;
  more: number;
  sending: boolean;
  answer: (action: string) => void;
}

export function useAsking(play: PlayerTable, table: PublicView, own: PlayerView, live: boolean, clock: ServerClock, notes: Notes, texts: PlayerTexts): Asking {
  const answered = useRef(new Set<string>());
  const before = useRef<QuestionView[]>([]);
  const [question, ...others] = own.questions;
  const sending = play.pending.has("answer");

  useEffect(() => {
    const open = new Set(own.questions.map(keyOf));
    for (const gone of before.current) {
      if (open.has(keyOf(gone)) || answered.current.has(keyOf(gone)) || gone.deadline_wall_ns === null) continue;
      const left = clock.secondsUntil(gone.deadline_wall_ns);
      if (left === null || left > NEAR_DEADLINE_SECONDS) continue;
      const where = whereOf(texts, table, own, gone.seat, gone.hand);
      notes.add("warn", texts.notes.noAnswerInTime(where || texts.yourHand, actionWord(texts, table.variant, gone.default)));
    }
    before.current = own.questions;
  }, [own.questions]);

  const answer = async (action: string): Promise<void> => {
    if (question === undefined || !live || sending || !question.actions.includes(action)) return;
    answered.current.add(keyOf(question));
    const [path, body] = bodyOf(question, action);
    const answer = await play.send("answer", path, body);
    if (answer?.ok === false) {
      answered.current.delete(keyOf(question));
      notes.add("warn", refusalNote(texts, actionWord(texts, table.variant, action), answer));
    }
  };

  return { question: question ?? null, more: others.length, sending, answer: (action) => void answer(action) };
}

function bodyOf(question: QuestionView, action: string): [string, Record<string, unknown>] {
  switch (question.kind) {
    case "insurance":
      return ["insurance", { seat: question.seat, take: action === "insurance" }];
    case "follow-double":
    case "follow-split":
      return ["follow", { seat: question.seat, hand: question.hand, follow: action === "follow" }];
    default:
      return ["decisions", { decision: question.decision, action }];
  }
}

export function refusalNote(texts: PlayerTexts, what: string, answer: Answer & { ok: false }): string {
  return texts.notes.refused(what, texts.refusals[answer.refusal.code] ?? answer.refusal.text);
}

export interface Ahead {
  /** The hand that an action can be chosen for before its turn; `null` when there is none. */
  hand: { seat: number; hand: HandView } | null;
  others: { seat: number; hand: HandView }[];
  actions: string[];
  planned: string | null;
  look: (seat: number, hand: number) => void;
  /** Go to the next hand, or back. */
  step: (by: number) => void;
  /** Choose an action ahead; the chosen one again takes it back. */
  plan: (action: string) => void;
}

export function useAhead(play: PlayerTable, table: PublicView, own: PlayerView, live: boolean, notes: Notes, texts: PlayerTexts): Ahead {
  const [looked, setLooked] = useState("");
  const waiting = table.layout === "seats" && ["dealing", "insurance", "peek", "decisions"].includes(table.phase) ? waitingHands(table, own) : [];
  const chosen = waiting.find((one) => `${one.seat}/${one.hand.number}` === looked) ?? waiting[0] ?? null;
  const planned = own.plans.find((plan) => plan.seat === chosen?.seat && plan.hand === chosen.hand.number)?.action ?? null;
  const plan = async (action: string): Promise<void> => {
    if (chosen === null || !live) return;
    const next = action === planned ? null : action;
    const answer = await play.send("plan", "plans", { seat: chosen.seat, hand: chosen.hand.number, action: next });
    if (answer?.ok === false) notes.add("warn", refusalNote(texts, actionWord(texts, table.variant, action), answer));
  };
  return {
    hand: chosen,
    others: waiting,
    actions: chosen ? plannable(chosen.hand, table, chosen.seat, play.rules) : [],
    planned,
    look: (seat, hand) => setLooked(`${seat}/${hand}`),
    step: (by) => {
      const at = waiting.findIndex((one) => one === chosen);
      const next = waiting[(at + by + waiting.length) % waiting.length];
      if (next) setLooked(`${next.seat}/${next.hand.number}`);
    },
    plan: (action) => void plan(action),
  };
}

function waitingHands(table: PublicView, own: PlayerView): { seat: number; hand: HandView }[] {
  return table.seats
    .filter((seat) => own.seats.includes(seat.seat))
    .flatMap((seat) => seat.hands.map((hand) => ({ seat: seat.seat, hand })))
    .filter(({ seat, hand }) => {
      const asked = own.questions.some((one) => one.kind === "decision" && one.seat === seat && one.hand === hand.number);
      return !asked && !hand.active && (hand.state === "open" || hand.state === "waiting") && hand.cards.length > 1;
    });
}

const value = (code: string): string => (["T", "J", "Q", "K"].includes(code.charAt(0)) ? "T" : code.charAt(0));

/** What could be legal when the turn comes; the table has the last word, and asks again where it is not (rules.md R8). */
function plannable(hand: HandView, table: PublicView, seat: number, rules: Rules | null): string[] {
  const [first = "", second = ""] = hand.cards;
  const two = hand.cards.length === 2;
  const hands = table.seats.find((one) => one.seat === seat)?.hands.length ?? 1;
  const upcard = value(table.dealer_hand.cards[0] ?? "");
  const actions = ["hit", "stand"];
  if (two) actions.push("double");
  if (two && value(first) === value(second) && hands < (rules?.parameters.split_hands ?? 1)) actions.push("split");
  if (two && hands === 1 && rules?.parameters.surrender === "before-any-action" && upcard !== "A" && upcard !== "T") {
    actions.push("surrender");
  }
  return actions;
}
