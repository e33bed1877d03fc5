// Where this player can bet now, from the public view and the own one. Seats of one player share their main bet
// (rules.md B4), so that the main spot of the lowest one stands for both.

import { sameSpot, type Spot } from "./draft";
import type { BetView, PlayerView, PublicView } from "./types";

export function spots(table: PublicView, own: PlayerView): Spot[] {
  const sides = table.side_bets.filter((side) => side.open);
  if (table.layout !== "seats") {
    return [{ kind: "main", seat: 1 }, ...sides.map((side) => ({ kind: side.kind, seat: 1 }))];
  }
  return table.seats.flatMap((seat) => {
    const found: Spot[] = [];
    if (own.seats.includes(seat.seat)) found.push({ kind: "main", seat: seat.seat });
    else if (table.bet_behind && holderOf(seat) !== "") found.push({ kind: "behind", seat: seat.seat });
    if (holderOf(seat) !== "") for (const side of sides) found.push({ kind: side.kind, seat: seat.seat });
    return found;
  });
}

export const holderOf = (seat: { holder: string; player: string }): string => seat.holder || seat.player;

/** The spot that a bet on `spot` is kept and sent for. */
export function keptFor(spot: Spot, own: PlayerView): Spot {
  return spot.kind === "main" && own.seats.includes(spot.seat) ? { kind: "main", seat: Math.min(...own.seats) } : spot;
}

/** What confirming would cost: the main bet counts once for each seat held. */
export function cost(bets: BetView[], own: PlayerView): number {
  const times = (bet: BetView): number => (bet.kind === "main" ? Math.max(1, own.seats.length) : 1);
  return bets.reduce((sum, bet) => sum + bet.amount * times(bet), 0);
}

/** Of some earlier bets those that can be placed now, each once. */
export function placeable(bets: BetView[], table: PublicView, own: PlayerView): BetView[] {
  const open = spots(table, own);
  const kept: BetView[] = [];
  for (const bet of bets) {
    const spot = keptFor(bet, own);
    if (open.some((one) => sameSpot(one, spot)) && !kept.some((one) => sameSpot(one, spot))) {
      kept.push({ ...spot, amount: bet.amount });
    }
  }
  return kept;
}
