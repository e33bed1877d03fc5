// An alarm put out of the way for a time: the form, and what stands beside it until the time is over (consoles.md S2).

import { useState } from "preact/hooks";
import type { ServerClock } from "../shared/clock";
import { useFocusOnce } from "../shared/focus";
import { clock as clockText } from "../shared/format";
import type { IncidentView, ShelfView } from "../shared/types";
import { listTexts } from "./texts";

const MINUTES = [5, 15, 30, 60];

/** The shelf that an alarm lies on now: it is over by itself, whether the server tells anything new or not. */
export function shelfOf(incident: IncidentView, clock: ServerClock): ShelfView | null {
  const { shelf } = incident;
  return shelf !== null && (clock.secondsUntil(shelf.until_wall_ns) ?? 1) > 0 ? shelf : null;
}

interface OnShelfProps {
  number: number;
  shelf: ShelfView;
  clock: ServerClock;
  /** Take it back; nothing for who may only look. */
  back: (() => void) | null;
  idle: boolean;
}

export function OnShelf({ number, shelf, clock, back, idle }: OnShelfProps) {
  return (
    <span class="on-shelf" data-testid={`shelf-${number}`}>
      {listTexts.onShelf(clockText(clock.secondsUntil(shelf.until_wall_ns) ?? 0), shelf.name, shelf.text)}{" "}
      {back && (
        <button type="button" class="small" data-testid={`unshelve-${number}`} disabled={!idle} onClick={back}>
          {listTexts.offShelf}
        </button>
      )}
    </span>
  );
}

interface ShelveProps {
  idle: boolean;
  send: (minutes: number, text: string) => Promise<void>;
  close: () => void;
}

export function Shelve({ idle, send, close }: ShelveProps) {
  const first = useFocusOnce<HTMLSelectElement>();
  const [minutes, setMinutes] = useState(MINUTES[1] ?? 15);
  const [text, setText] = useState("");
  const complete = text.trim() !== "";
  return (
    <form
      class="hand-over"
      data-testid="shelve"
      onKeyDown={(event) => event.key === "Escape" && close()}
      onSubmit={(event) => {
        event.preventDefault();
        if (idle && complete) void send(minutes, text);
      }}
    >
      <select value={minutes} aria-label={listTexts.shelveFor} data-testid="shelve-for" ref={first} onChange={(event) => setMinutes(Number(event.currentTarget.value))}>
        {MINUTES.map((one) => (
          <option key={one} value={one}>
            {listTexts.minutes(one)}
          </option>
        ))}
      </select>
      <input type="text" value={text} required maxLength={500} aria-label={listTexts.shelveWhy} placeholder={listTexts.shelveWhy} data-testid="shelve-why" onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit" class="small" data-testid="shelve-do" disabled={!idle || !complete}>
        {listTexts.shelveDo}
      </button>
    </form>
  );
}
