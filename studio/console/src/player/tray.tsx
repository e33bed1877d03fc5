// The tray at the bottom: the player, the chips, and what is done with the draft (consoles.md T1).

import { useRef } from "preact/hooks";
import { amount } from "../shared/format";
import { CHIPS, type Betting } from "./betting";
import type { PlayerTexts } from "./english";
import { useTexts } from "./language";
import type { PlayerView, PublicView } from "./types";

const LONG_PRESS_MS = 450;

interface TrayProps {
  betting: Betting;
  table: PublicView;
  own: PlayerView;
  name: string;
}

export function Tray({ betting, table, own, name }: TrayProps) {
  const texts = useTexts();
  const { chosen } = betting;
  return (
    <footer class="tray" data-open={String(betting.open)}>
      <div class="purse" data-testid="purse">
        <b class="name">{name || own.player}</b>
        <span class="balance">
          <span class="label">{texts.balance}</span> <b data-testid="balance">{amount(own.balance)}</b> {table.money === "virtual" ? texts.units : table.currency}
        </span>
        {table.money === "virtual" && <span class="virtual">{texts.virtualUnits}</span>}
      </div>
      <div class="chips" role="group" aria-label={texts.chipHint}>
        <p class="chosen" data-testid="chosen">
          {chosen ? (
            <>
              <span class="label">{texts.chosen}</span> <b>{spotName(texts, table, chosen)}</b> <kbd>← →</kbd>
            </>
          ) : (
            <span class="label">{betting.open ? texts.nothingChosen : texts.chipHint}</span>
          )}
        </p>
        <div class="chip-row">
          {CHIPS.map((value, index) => (
            <Chip
              key={value}
              value={value}
              hotkey={String(index + 1)}
              disabled={!betting.open || chosen === null}
              move={(sign) => betting.chip(value, sign)}
            />
          ))}
        </div>
      </div>
      <div class="draft">
        <button type="button" data-testid="undo" disabled={!betting.canUndo} onClick={betting.undo}>
          {texts.undo} <kbd>⌫</kbd>
        </button>
        <button type="button" data-testid="clear" disabled={betting.bets.length === 0} onClick={betting.clear}>
          {texts.clear} <kbd>Del</kbd>
        </button>
        <button type="button" data-testid="repeat" disabled={!betting.canRepeat} onClick={betting.repeat}>
          {texts.repeat} <kbd>Num 0</kbd>
        </button>
      </div>
      <button
        type="button"
        class="confirm"
        data-testid="confirm"
        data-pending={betting.sending}
        disabled={!betting.open || betting.bets.length === 0 || !betting.covered || betting.sending}
        onClick={betting.confirm}
      >
        <span class="confirm-word">
          {betting.sending ? texts.sending : texts.confirm} <kbd>C</kbd>
        </span>
        <b data-testid="draft-total">{betting.cost > 0 ? amount(betting.cost) : "–"}</b>
        {!betting.covered && <span class="over">{texts.overBalance}</span>}
      </button>
    </footer>
  );
}

export function spotName(texts: PlayerTexts, table: PublicView, spot: { kind: string; seat: number }): string {
  const bet = texts.bets[spot.kind] ?? spot.kind;
  return table.layout === "seats" ? `${texts.seat(spot.seat)} · ${bet}` : bet;
}

interface ChipProps {
  value: number;
  hotkey: string;
  disabled: boolean;
  move: (sign: 1 | -1) => void;
}

/** Left click or tap adds; right click or a long press takes away. */
function Chip({ value, hotkey, disabled, move }: ChipProps) {
  const texts = useTexts();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const byTouch = useRef(false);
  const wasLong = useRef(false);
  const label = String(value / 100);
  const release = (): void => clearTimeout(timer.current);
  return (
    <button
      type="button"
      class={`chip chip-${label}`}
      data-testid={`chip-${label}`}
      aria-label={texts.chip(label)}
      title={texts.chipHint}
      disabled={disabled}
      onPointerDown={(event) => {
        byTouch.current = event.pointerType === "touch";
        wasLong.current = false;
        release();
        if (!byTouch.current) return;
        timer.current = setTimeout(() => {
          wasLong.current = true;
          move(-1);
        }, LONG_PRESS_MS);
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={release}
      onClick={() => {
        if (wasLong.current) wasLong.current = false;
        else move(1);
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        // A finger's long press brings this event too; its own timer has acted.
        if (!byTouch.current && !disabled) move(-1);
      }}
    >
      <span class="chip-value">{label}</span>
      <kbd>{hotkey}</kbd>
    </button>
  );
}
