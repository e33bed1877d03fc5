// Manual entry of a card that the reader could not read: rank, then suit, two taps, both labelled (D20). It is only
// offered where the table says so; a supervisor co-signs before the card counts.

import { useState } from "preact/hooks";
import { rankOf, SuitGlyph } from "../shared/cards";
import { common, dealerTexts } from "../shared/catalog";
import { useFocusOnce } from "../shared/focus";
import type { Button, IncidentView } from "../shared/types";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];

interface EntryProps {
  incident: IncidentView;
  pending: string;
  press: (name: string, button: Button) => void;
  close: () => void;
}

export function CardEntry({ incident, pending, press, close }: EntryProps) {
  const place = useFocusOnce<HTMLElement>();
  const [rank, setRank] = useState("");
  const tap = (suit: string): void => {
    const correction = [{ change: "card-value" as const, draw: incident.draw ?? 0, card: rank + suit }];
    press("enter", {
      command: "resolve-incident",
      label: dealerTexts.enter,
      arguments: { incident: incident.number, way_out: "enter", reason: "dealer", correction },
    });
    close();
  };
  return (
    <section class="helper" tabIndex={-1} ref={place} aria-label={dealerTexts.enter} data-testid="card-entry" onKeyDown={(event) => event.key === "Escape" && close()}>
      <p class="helper-line" role="status">
        {rank === "" ? dealerTexts.entryRank : dealerTexts.entrySuit(rankOf(rank))}
      </p>
      <div class="entry-ranks" role="group" aria-label={dealerTexts.rank}>
        {RANKS.map((one) => (
          <button key={one} type="button" data-testid={`rank-${one}`} aria-pressed={rank === one} onClick={() => setRank(one)}>
            {rankOf(one)}
          </button>
        ))}
      </div>
      <div class="entry-suits" role="group" aria-label={dealerTexts.suit}>
        {SUITS.map((suit) => (
          <button key={suit} type="button" class={`suit-${suit}`} data-testid={`suit-${suit}`} disabled={rank === "" || pending !== ""} onClick={() => tap(suit)}>
            <SuitGlyph suit={suit} /> {common.suits[suit]}
          </button>
        ))}
        <button type="button" class="helper-close" data-testid="helper-close" onClick={close}>
          {dealerTexts.closeHelper}
        </button>
      </div>
    </section>
  );
}
