// A table as one of its screens showed it then: the dealer's hand, the seats in a row, and what else it said.

import { isBack, rankOf, SuitGlyph } from "../shared/cards";
import { amount } from "../shared/format";
import type { DealerView, HandView, SeatView, TableView } from "../shared/types";
import { useTexts } from "./language";

/** What the dealer's console said, above the felt that it showed. */
export function DealerScreen({ view }: { view: DealerView }) {
  const texts = useTexts();
  return (
    <div class="screen" data-testid="dealer-screen">
      <p class="reads">
        <span class="quiet">{texts.reads}</span> <b data-testid="instruction">{view.instruction.words}</b>
      </p>
      {view.incidents.map((incident) => (
        <p key={incident.number} class="then-open">
          <b>{incident.cause}</b> {incident.next_step} <span class="quiet">{incident.detail}</span>
        </p>
      ))}
      <Felt table={view.table} />
      <p class="last-cards" data-testid="last-cards">
        <span class="quiet">{texts.lastCards}</span>
        {view.last_cards.map((card) => (
          <span key={card.draw} class="last-card">
            <Card code={card.card} mark={card.mark} /> <span class="quiet">{card.place}</span>
          </span>
        ))}
      </p>
    </div>
  );
}

/** What every player's screen showed of the table. */
export function PlayersScreen({ view }: { view: TableView }) {
  return (
    <div class="screen" data-testid="players-screen">
      <Felt table={view} />
    </div>
  );
}

function Felt({ table }: { table: TableView }) {
  const texts = useTexts();
  const taken = table.seats.filter((seat) => seat.player !== "" || seat.bet > 0 || seat.hands.length > 0);
  return (
    <>
      <p class="phase">
        {texts.phases[table.phase] ?? table.phase} · {texts.round(table.round)}
        {table.stopped && <b class="stopped"> · {texts.stopped}</b>}
      </p>
      <div class={`felt-line ${table.dealer_hand.target ? "target" : ""}`} data-testid="dealer-hand">
        <span class="who">{texts.dealer}</span>
        <Cards hand={table.dealer_hand} />
        <b class="total">{total(texts.soft, table.dealer_hand.total)}</b>
      </div>
      {taken.map((seat) => (
        <Seat key={seat.seat} seat={seat} table={table} />
      ))}
      {taken.length === 0 && table.dealer_hand.cards.length === 0 && <p class="quiet">{texts.noHands}</p>}
    </>
  );
}

function Seat({ seat, table }: { seat: SeatView; table: TableView }) {
  const texts = useTexts();
  const results = table.results.filter((result) => result.seat === seat.seat);
  return (
    <div class={`felt-line ${seat.target ? "target" : ""}`} data-testid={`seat-${seat.seat}`}>
      <span class="who">
        {texts.seat(seat.seat)}
        <span class="quiet"> {seat.player}</span>
        <span class="stake">
          {texts.bet} {amount(seat.bet)}
          {results.length > 0 && <b> · {texts.returned(amount(results.reduce((sum, one) => sum + one.returned, 0)))}</b>}
        </span>
      </span>
      <div class="felt-hands">
        {seat.hands.map((hand) => (
          <Hand key={hand.number} hand={hand} />
        ))}
      </div>
    </div>
  );
}

function Hand({ hand }: { hand: HandView }) {
  const texts = useTexts();
  return (
    <span class={`felt-hand ${hand.active ? "active" : ""}`}>
      <Cards hand={hand} />
      <b class="total">
        {total(texts.soft, hand.total)} <span class="quiet">{texts.handStates[hand.state] ?? hand.state}</span>
      </b>
    </span>
  );
}

function Cards({ hand }: { hand: { cards: string[]; marks: string[] } }) {
  return (
    <span class="cards">
      {hand.cards.map((code, index) => (
        <Card key={index} code={code} mark={hand.marks[index]} />
      ))}
    </span>
  );
}

function Card({ code, mark = "" }: { code: string; mark?: string | undefined }) {
  const texts = useTexts();
  const suit = code.charAt(1);
  const marked = mark === "" ? "" : "marked";
  if (isBack(code)) {
    return (
      <span class={`card tiny back ${marked}`} data-card="back">
        <span class="back-pattern" aria-hidden="true" />
        <span class="word">{texts.faceDown}</span>
        <Mark mark={mark} />
      </span>
    );
  }
  return (
    <span class={`card tiny suit-${suit} ${marked}`} data-card={code}>
      <span class="face">
        <span class="rank">{rankOf(code)}</span>
        <SuitGlyph suit={suit} />
      </span>
      <span class="word">{texts.suits[suit]}</span>
      <Mark mark={mark} />
    </span>
  );
}

/** The word for a card that no reader told (consoles.md D20). */
export function Mark({ mark }: { mark: string }) {
  const texts = useTexts();
  if (mark === "") return null;
  return (
    <span class="mark" data-mark={mark}>
      {texts.marks[mark] ?? mark}
    </span>
  );
}

function total(soft: string, said: string): string {
  return said.replace("soft", soft);
}
