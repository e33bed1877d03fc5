// The table's hands: the dealer's above, the seats in a row as the dealer sees them, seat 1 at the dealer's left.

import { Card } from "./cards";
import { common } from "./catalog";
import { amount } from "./format";
import type { DealerHandView, HandView, ResultView, SeatView, TableView } from "./types";

export function DealerHand({ hand }: { hand: DealerHandView }) {
  return (
    <section class={`dealer-hand ${hand.target ? "target" : ""}`} data-testid="dealer-hand" data-target={hand.target}>
      <header>
        <h2>{common.dealerHand}</h2>
        <span class="total">{hand.total}</span>
      </header>
      <div class="cards">
        {hand.cards.map((code, index) => (
          <Card key={index} code={code} size={hand.cards.length > 6 ? "small" : "medium"} mark={hand.marks[index]} />
        ))}
      </div>
    </section>
  );
}

export function Seats({ table }: { table: TableView }) {
  return (
    <div class="seats">
      {table.seats.map((seat) => (
        <Seat key={seat.seat} seat={seat} results={table.results.filter((result) => result.seat === seat.seat)} />
      ))}
    </div>
  );
}

function Seat({ seat, results }: { seat: SeatView; results: ResultView[] }) {
  const split = seat.hands.length > 1;
  const taken = seat.player !== "" || seat.bet > 0 || seat.hands.length > 0;
  return (
    <section
      class={`seat ${seat.target ? "target" : ""} ${taken ? "" : "free"}`}
      data-testid={`seat-${seat.seat}`}
      data-target={seat.target}
    >
      <header>
        <h2>{common.seat(seat.seat)}</h2>
        <span class="player">{taken ? seat.player : common.empty}</span>
      </header>
      <div class={split ? "hands split" : "hands"}>
        {seat.hands.map((hand) => (
          <Hand key={hand.number} hand={hand} split={split} />
        ))}
      </div>
      <footer>
        {results.length > 0 ? (
          <span class="result">{common.returned(amount(results.reduce((sum, result) => sum + result.returned, 0)))}</span>
        ) : (
          seat.insurance > 0 && <span class="insured">{common.insured(amount(seat.insurance))}</span>
        )}
        {taken && (
          <span class="bet">
            <span>{common.bet}</span> {amount(seat.bet)}
          </span>
        )}
      </footer>
    </section>
  );
}

function Hand({ hand, split }: { hand: HandView; split: boolean }) {
  const state = common.handStates[hand.state] ?? hand.state;
  const crowded = split || hand.cards.length > 6;
  return (
    <div class={`hand ${hand.active ? "active" : ""}`} data-active={hand.active} aria-label={common.handNumber(hand.number)}>
      <div class="cards">
        {hand.cards.map((code, index) => (
          <Card key={index} code={code} size={crowded ? "tiny" : "small"} mark={hand.marks[index]} />
        ))}
      </div>
      <div class="hand-line">
        <span class="total">{hand.total}</span>
        {state !== "" && state !== hand.total && <span class="hand-state">{state}</span>}
      </div>
    </div>
  );
}
