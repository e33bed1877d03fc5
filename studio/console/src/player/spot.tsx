// A place for chips: what is confirmed lies on it, what is not yet confirmed stands beside with a plus.

import { amount } from "../shared/format";
import type { Betting } from "./betting";
import { on, sameSpot, type Spot } from "./draft";
import { useTexts } from "./language";
import { keptFor } from "./spots";
import type { PlayerView, SideBetView } from "./types";

interface SpotProps {
  spot: Spot;
  betting: Betting;
  own: PlayerView;
  /** On a seat the short name, else the full one with what it pays. */
  short?: boolean;
  side?: SideBetView | undefined;
}

export function SpotButton({ spot, betting, own, short = false, side }: SpotProps) {
  const texts = useTexts();
  const placed = on(own.bets, spot);
  const drafted = on(betting.bets, keptFor(spot, own));
  const open = betting.spots.some((one) => sameSpot(one, spot));
  const chosen = open && betting.chosen !== null && sameSpot(betting.chosen, spot);
  if (!open && placed === 0 && short) return null;
  const full = texts.bets[spot.kind] ?? spot.kind;
  return (
    <button
      type="button"
      class="spot"
      data-testid={`spot-${spot.kind}-${spot.seat}`}
      aria-pressed={chosen}
      aria-label={`${short ? `${texts.seat(spot.seat)}, ` : ""}${full} ${amount(placed)}${drafted ? ` +${amount(drafted)}` : ""}`}
      disabled={!open}
      onClick={() => betting.choose(spot)}
    >
      <span class="spot-name">{short ? texts.spots[spot.kind] ?? full : full}</span>
      <span class="spot-amounts">
        {placed > 0 && <b data-testid={`placed-${spot.kind}-${spot.seat}`}>{amount(placed)}</b>}
        {drafted > 0 && (
          <i class="drafted" data-testid={`draft-${spot.kind}-${spot.seat}`}>
            +{amount(drafted)}
          </i>
        )}
        {placed + drafted === 0 && <span class="none">–</span>}
      </span>
      {side && (
        <span class="spot-side" data-testid={`left-${spot.kind}`}>
          {side.open ? texts.pays(Math.max(...Object.values(side.pays))) : texts.closedForShoe}
          {side.open && side.rounds_left !== null && <span>{texts.roundsLeft(side.rounds_left)}</span>}
        </span>
      )}
    </button>
  );
}
