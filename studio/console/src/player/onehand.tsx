// One position for the player: the hand that all share with its lines (consoles.md T5), or a hand alone. What the
// player keeps of a shared hand is shown beside it.

import { amount } from "../shared/format";
import type { Betting } from "./betting";
import { PlayerHand } from "./cards";
import { useTexts } from "./language";
import { SpotButton } from "./spot";
import type { PlayerView, PublicView } from "./types";

/** A shared hand's unsplit line; 2 and 3 are the lines of those who split. */
const UNSPLIT = 1;

interface OneHandProps {
  table: PublicView;
  own: PlayerView;
  betting: Betting;
}

export function OneHand({ table, own, betting }: OneHandProps) {
  const texts = useTexts();
  const shared = table.layout === "shared-hand";
  const seat = table.seats[0];
  const hasSplit = own.hands.length > 1;
  // Of the lines the one that is played by this player, or by those who did not split.
  const lines = (seat?.hands ?? []).filter((hand) => !shared || hasSplit === (hand.number !== UNSPLIT));
  return (
    <div class="onehand" data-testid="one-hand">
      <div class="lines">
        <section class="line-group" data-testid="lines" aria-label={shared ? texts.sharedHand : texts.yourHand}>
          {shared && (
            <header>
              <h2>{texts.sharedHand}</h2>
              <span class="quiet" data-testid="crowd">
                {[texts.players(table.players), texts.staked(amount(table.staked))].join(" · ")}
              </span>
            </header>
          )}
          <div class="phands big" data-hands={lines.length}>
            {lines.map((hand) => (
              <PlayerHand
                key={hand.number}
                hand={shared ? { ...hand, active: false } : hand}
                title={shared ? (hand.number === UNSPLIT ? "" : texts.splitLine(hand.number - 1)) : lines.length > 1 ? texts.yourHandNumber(hand.number) : ""}
                stake={!shared}
                testid={shared ? `line-${hand.number}` : `hand-1-${hand.number}`}
              />
            ))}
          </div>
        </section>
        {shared && lines.length > 0 && (
          <section class="line-group own" data-testid="own-hands" aria-label={texts.yourHand}>
            <header>
              <h2>{texts.yourHand}</h2>
            </header>
            {own.hands.length === 0 ? (
              <p class="quiet">{texts.noOwnHand}</p>
            ) : (
              <div class="phands big" data-hands={own.hands.length}>
                {own.hands.map((hand) => (
                  <PlayerHand
                    key={hand.number}
                    hand={hand}
                    title={hasSplit ? texts.yourHandNumber(hand.number) : ""}
                    stake
                    testid={`own-hand-${hand.number}`}
                  />
                ))}
              </div>
            )}
          </section>
        )}
      </div>
      <div class="tiles">
        <SpotButton spot={{ kind: "main", seat: 1 }} betting={betting} own={own} />
        {table.side_bets.map((side) => (
          <SpotButton key={side.kind} spot={{ kind: side.kind, seat: 1 }} betting={betting} own={own} side={side} />
        ))}
      </div>
    </div>
  );
}
