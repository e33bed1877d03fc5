// Seven seats around the dealer: who sits where, their hands, and the spots for one's own bets, bets behind and Pair
// (consoles.md T4).

import { amount } from "../shared/format";
import type { Betting } from "./betting";
import { PlayerHand } from "./cards";
import { actionWord, useTexts } from "./language";
import { SpotButton } from "./spot";
import { holderOf } from "./spots";
import type { PlayerView, PublicView, SeatView } from "./types";

interface SeatsProps {
  table: PublicView;
  own: PlayerView;
  betting: Betting;
  live: boolean;
  /** Take or leave a seat; `null` while one is under way. */
  sit: ((seat: number, action: "take" | "leave") => void) | null;
}

export function Seats(props: SeatsProps) {
  return (
    <div class="pseats" data-testid="seats">
      {props.table.seats.map((seat) => (
        <Seat key={seat.seat} seat={seat} {...props} />
      ))}
    </div>
  );
}

/** The lowest seat that this player can take now. */
export function firstFree(table: PublicView, own: PlayerView): number | null {
  if (table.layout !== "seats" || own.seats.length >= table.seats_per_player) return null;
  return table.seats.find((seat) => holderOf(seat) === "")?.seat ?? null;
}

function Seat({ seat, table, own, betting, live, sit }: SeatsProps & { seat: SeatView }) {
  const texts = useTexts();
  const holder = holderOf(seat);
  const mine = own.seats.includes(seat.seat);
  const kind = mine ? "mine" : holder === "" ? "free" : "taken";
  const mayTake = holder === "" && own.seats.length < table.seats_per_player;
  const inPlay = seat.bet > 0;
  const results = own.results.filter((result) => result.seat === seat.seat);
  const returned = results.reduce((sum, one) => sum + one.returned, 0);
  return (
    <section
      class={`pseat ${kind} ${seat.target ? "next" : ""}`}
      data-testid={`seat-${seat.seat}`}
      data-kind={kind}
      aria-label={`${texts.seat(seat.seat)} ${mine ? texts.you : holder || texts.free}`}
    >
      <header>
        <h2>{texts.seat(seat.seat)}</h2>
        <span class="who">{mine ? texts.you : holder || texts.free}</span>
        {mine && !inPlay && (
          <button
            type="button"
            class="leave"
            data-testid={`leave-${seat.seat}`}
            disabled={!live || sit === null}
            onClick={() => sit?.(seat.seat, "leave")}
          >
            {texts.leave} {(betting.chosen?.seat ?? own.seats[0]) === seat.seat && <kbd>X</kbd>}
          </button>
        )}
      </header>
      <div class="phands" data-hands={seat.hands.length}>
        {seat.hands.map((hand) => {
          const plan = own.plans.find((one) => one.seat === seat.seat && one.hand === hand.number);
          return (
            <PlayerHand
              key={hand.number}
              hand={hand}
              stake={seat.hands.length > 1}
              extra={mine && plan ? texts.planned(actionWord(texts, table.variant, plan.action)) : ""}
              testid={`hand-${seat.seat}-${hand.number}`}
            />
          );
        })}
        {mayTake && (
          <button
            type="button"
            class="take"
            data-testid={`take-${seat.seat}`}
            disabled={!live || sit === null}
            onClick={() => sit?.(seat.seat, "take")}
          >
            {texts.take} {firstFree(table, own) === seat.seat && <kbd>T</kbd>}
          </button>
        )}
      </div>
      <div class="seat-money">
        {!mine && seat.bet > 0 && (
          <span>
            {texts.bet} <b>{amount(seat.bet)}</b>
          </span>
        )}
        {seat.insurance > 0 && <span>{texts.insured(amount(seat.insurance))}</span>}
        {seat.behind_players > 0 && <span>{texts.behind(seat.behind_players, amount(seat.behind_staked))}</span>}
        {results.length > 0 && <b class={returned > 0 ? "came-back" : "quiet"}>{texts.returned(amount(returned))}</b>}
      </div>
      <div class="seat-spots">
        {mine && <SpotButton spot={{ kind: "main", seat: seat.seat }} betting={betting} own={own} short />}
        {!mine && holder !== "" && table.bet_behind && (
          <SpotButton spot={{ kind: "behind", seat: seat.seat }} betting={betting} own={own} short />
        )}
        {holder !== "" &&
          table.side_bets.map((side) => (
            <SpotButton key={side.kind} spot={{ kind: side.kind, seat: seat.seat }} betting={betting} own={own} short />
          ))}
      </div>
    </section>
  );
}
