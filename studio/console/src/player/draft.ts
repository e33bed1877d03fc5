// Chips on their way: what lies on which spot before the confirm button sends it. It knows no rule of betting; the
// table answers each bet.

import type { BetView } from "./types";

export interface Spot {
  kind: string;
  seat: number;
}

export interface Draft {
  bets: BetView[];
  /** Earlier states, newest last, for undo. */
  before: BetView[][];
}

export const EMPTY: Draft = { bets: [], before: [] };

export const sameSpot = (one: Spot, other: Spot): boolean => one.kind === other.kind && one.seat === other.seat;

export const on = (bets: BetView[], spot: Spot): number =>
  bets.reduce((sum, bet) => (sameSpot(bet, spot) ? sum + bet.amount : sum), 0);

export const total = (bets: BetView[]): number => bets.reduce((sum, bet) => sum + bet.amount, 0);

/** Add `amount` to a spot, or take it away when negative; a spot never goes below nothing. */
export function move(draft: Draft, spot: Spot, amount: number): Draft {
  const now = Math.max(0, on(draft.bets, spot) + amount);
  const others = draft.bets.filter((bet) => !sameSpot(bet, spot));
  return replace(draft, now > 0 ? [...others, { ...spot, amount: now }] : others);
}

export function replace(draft: Draft, bets: BetView[]): Draft {
  if (JSON.stringify(bets) === JSON.stringify(draft.bets)) return draft;
  return { bets, before: [...draft.before, draft.bets] };
}

export function undo(draft: Draft): Draft {
  const bets = draft.before.at(-1);
  return bets ? { bets, before: draft.before.slice(0, -1) } : draft;
}
