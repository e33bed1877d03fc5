// The misdeal helper: eight tiles; one tap stops the table and asks for the supervisor with the reason (D14).

import { useState } from "preact/hooks";
import { common, dealerTexts } from "../shared/catalog";
import { useFocusOnce } from "../shared/focus";
import type { Button } from "../shared/types";

const TILES = ["missed-seat", "wrong-seat", "surplus-card", "exposed", "on-floor", "unreadable", "cut-card", "other"];
const DEALERS_PLACE = 0;

interface MisdealProps {
  seats: number;
  pending: string;
  press: (name: string, button: Button) => void;
  close: () => void;
}

export function MisdealHelper({ seats, pending, press, close }: MisdealProps) {
  const place = useFocusOnce<HTMLElement>();
  const [seat, setSeat] = useState<number | null>(null);
  const tap = (tile: string): void => {
    press(`tile-${tile}`, { command: "report-misdeal", label: tile, arguments: seat === null ? { tile } : { tile, seat } });
    close();
  };
  const places = [DEALERS_PLACE, ...Array.from({ length: seats }, (_, index) => index + 1)];
  return (
    <section class="helper" tabIndex={-1} ref={place} aria-label={dealerTexts.misdeal} data-testid="misdeal-helper" onKeyDown={(event) => event.key === "Escape" && close()}>
      <div class="tiles">
        {TILES.map((tile) => (
          <button key={tile} type="button" data-testid={`tile-${tile}`} disabled={pending !== ""} onClick={() => tap(tile)}>
            {dealerTexts.tiles[tile]}
          </button>
        ))}
      </div>
      <div class="about-seat" role="group" aria-label={dealerTexts.aboutSeat}>
        <span class="fact-label">{dealerTexts.aboutSeat}</span>
        {places.map((one) => (
          <button key={one} type="button" data-testid={`about-${one}`} aria-pressed={seat === one} aria-label={one === DEALERS_PLACE ? common.dealerHand : common.seat(one)} onClick={() => setSeat(seat === one ? null : one)}>
            {one === DEALERS_PLACE ? dealerTexts.dealersPlace : one}
          </button>
        ))}
        <button type="button" class="helper-close" data-testid="helper-close" onClick={close}>
          {dealerTexts.closeHelper}
        </button>
      </div>
    </section>
  );
}
