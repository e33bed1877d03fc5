// What a ruling's details are chosen with: a card by rank and suit, a draw of the round, a place at the table.

import { useState } from "preact/hooks";
import { Card, isBack, rankOf, SuitGlyph } from "../shared/cards";
import { common } from "../shared/catalog";
import type { DrawView } from "../shared/rulings";
import { wizardTexts } from "./texts";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];

/** Rank, then suit; `take` gets the card's code once both are chosen. */
export function CardPicker({ chosen, take }: { chosen: string; take: (code: string) => void }) {
  const [rank, setRank] = useState(chosen.charAt(0));
  return (
    <div class="card-picker">
      <div class="ranks" role="group" aria-label={wizardTexts.rank}>
        {RANKS.map((one) => (
          <button key={one} type="button" data-testid={`rank-${one}`} aria-pressed={rank === one} onClick={() => setRank(one)}>
            {rankOf(one)}
          </button>
        ))}
      </div>
      <div class="suits" role="group" aria-label={wizardTexts.suit}>
        {SUITS.map((suit) => (
          <button
            key={suit}
            type="button"
            class={`suit-${suit}`}
            data-testid={`suit-${suit}`}
            aria-pressed={chosen === rank + suit}
            disabled={rank === ""}
            onClick={() => take(rank + suit)}
          >
            <SuitGlyph suit={suit} /> {common.suits[suit]}
          </button>
        ))}
      </div>
      {rank === "" && <p class="hint">{wizardTexts.rankFirst}</p>}
    </div>
  );
}

/** The cards of the round; the chosen one is pressed, those with a change are marked. */
export function DrawPicker({ draws, chosen, marked, take }: DrawPickerProps) {
  if (draws.length === 0) return <p class="hint">{wizardTexts.noDraws}</p>;
  return (
    <div class="draws" role="group" aria-label={wizardTexts.draws}>
      {draws.map((draw) => (
        <button
          key={draw.draw}
          type="button"
          class={marked.includes(draw.draw) ? "marked" : ""}
          data-testid={`draw-${draw.draw}`}
          aria-pressed={chosen === draw.draw}
          onClick={() => take(draw.draw)}
        >
          <span class="draw-number">{wizardTexts.draw(draw.draw)}</span>
          <Card code={draw.card} size="tiny" mark={draw.mark} />
          <span class="draw-place">{placeName(draw)}</span>
        </button>
      ))}
    </div>
  );
}

interface DrawPickerProps {
  draws: DrawView[];
  chosen: number | null;
  marked: number[];
  take: (draw: number) => void;
}

/** A hand at the table; the dealer's has seat 0. */
export interface Place {
  seat: number;
  hand: number;
}

export function SeatPicker({ places, chosen, take }: { places: Place[]; chosen: Place | null; take: (place: Place) => void }) {
  return (
    <div class="places" role="group" aria-label={wizardTexts.liesAt}>
      {places.map((place) => (
        <button
          key={`${place.seat}-${place.hand}`}
          type="button"
          data-testid={`place-${place.seat}-${place.hand}`}
          aria-pressed={chosen?.seat === place.seat && chosen.hand === place.hand}
          onClick={() => take(place)}
        >
          {nameOfPlace(place)}
        </button>
      ))}
    </div>
  );
}

export function nameOfPlace({ seat, hand }: Place): string {
  if (seat === 0) return common.dealerHand;
  return hand > 1 ? `${common.seat(seat)}, ${common.handNumber(hand)}` : common.seat(seat);
}

export function placeName(draw: DrawView): string {
  if (draw.place === "held" || draw.place === "unread") return draw.place;
  return nameOfPlace(draw);
}

export function cardName(code: string): string {
  return isBack(code) ? common.back : `${rankOf(code)} ${common.suits[code.charAt(1)]}`;
}
