// The table beside the decisions: what the dealer reads, the hands, the cards that came last.

import { Card } from "../shared/cards";
import { common, supervisorTexts } from "../shared/catalog";
import { DeviceChips, DeviceReasons } from "../shared/devices";
import { amount, timeOfDay } from "../shared/format";
import type { DealerView, SeatView } from "../shared/types";

export function Beside({ view, live }: { view: DealerView; live: boolean }) {
  const { table } = view;
  return (
    <aside class="beside" data-testid="beside" data-quiet={!live} aria-label={supervisorTexts.beside}>
      <header>
        <span class="fact-label">{supervisorTexts.onScreen}</span>
        <p class="reads" data-testid="instruction" role="status">
          {view.instruction.words}
        </p>
        <p class="phase" data-testid="phase">
          {common.phases[table.phase] ?? table.phase}
          {table.round > 0 && ` · ${common.round(table.round)}`}
          {view.single_source_until_wall_ns !== null && (
            <b class="warn" data-testid="single-source">
              {" · "}
              {supervisorTexts.singleSource(timeOfDay(view.single_source_until_wall_ns))}
            </b>
          )}
        </p>
        <DeviceChips devices={view.devices} />
        <DeviceReasons devices={view.devices} counts />
      </header>
      <div class={`line ${table.dealer_hand.target ? "target" : ""}`} data-testid="dealer-hand">
        <span class="who">{common.dealerHand}</span>
        <Cards hand={table.dealer_hand} />
        <span class="total">{table.dealer_hand.total}</span>
      </div>
      {table.seats.filter(isTaken).map((seat) => (
        <SeatLine key={seat.seat} seat={seat} />
      ))}
      <footer>
        <span class="fact-label">{supervisorTexts.lastCards}</span>
        <div class="cards" data-testid="last-cards">
          {[...view.last_cards]
            .sort((one, other) => other.draw - one.draw)
            .slice(0, 6)
            .map((card) => (
              <span key={card.draw} class="last">
                <Card code={card.card} size="tiny" mark={card.mark} />
                <span class="fact-label">{card.place}</span>
              </span>
            ))}
        </div>
      </footer>
    </aside>
  );
}

function isTaken(seat: SeatView): boolean {
  return seat.player !== "" || seat.bet > 0 || seat.hands.length > 0;
}

function SeatLine({ seat }: { seat: SeatView }) {
  return (
    <div class={`line ${seat.target ? "target" : ""}`} data-testid={`seat-${seat.seat}`}>
      <span class="who">
        {common.seat(seat.seat)}
        <span class="player">
          {amount(seat.bet)} · {seat.player}
        </span>
      </span>
      <div class="line-hands">
        {seat.hands.map((hand) => (
          <div key={hand.number} class="line-hand">
            <Cards hand={hand} />
            <span class="total">
              {hand.total} <span class="hand-state">{common.handStates[hand.state] ?? hand.state}</span>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Cards({ hand }: { hand: { cards: string[]; marks: string[] } }) {
  return (
    <div class="cards">
      {hand.cards.map((code, index) => (
        <Card key={index} code={code} size="tiny" mark={hand.marks[index]} />
      ))}
    </div>
  );
}
