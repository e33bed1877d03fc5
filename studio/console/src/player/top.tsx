// The head of the page: which table, how the connection is, and the doors to history, rules and the other language.

import { useTick } from "../shared/live";
import type { ServerClock } from "../shared/clock";
import type { Connection } from "../shared/feed";
import { useTexts } from "./language";
import type { PublicView } from "./types";

export type PanelName = "history" | "rules" | "fairness";

interface TopProps {
  table: PublicView;
  connection: Connection;
  panel: PanelName | null;
  open: (panel: PanelName) => void;
  toggleLanguage: () => void;
}

export function Top({ table, connection, panel, open, toggleLanguage }: TopProps) {
  const texts = useTexts();
  const virtual = table.commitment !== "" || table.opened_shuffle !== null;
  const door = (name: PanelName, word: string, hotkey: string) => (
    <button type="button" data-testid={`open-${name}`} aria-expanded={panel === name} onClick={() => open(name)}>
      {word} <kbd>{hotkey}</kbd>
    </button>
  );
  return (
    <header class="ptop">
      <div class="which-table">
        <h1>{texts.variants[table.variant] ?? table.variant}</h1>
        <span class="quiet" data-testid="table-name">
          {table.name}
          {table.round > 0 && ` · ${texts.round(table.round)}`}
        </span>
      </div>
      {table.simulated && (
        <span class="watermark" data-testid="watermark">
          {texts.simulation}
        </span>
      )}
      <Signal connection={connection} />
      <nav class="doors">
        {virtual && door("fairness", texts.fairness, "V")}
        {door("history", texts.history, "B")}
        {door("rules", texts.rules, "U")}
        <button type="button" lang={texts.otherCode} data-testid="language" onClick={toggleLanguage}>
          {texts.otherLanguage} <kbd>L</kbd>
        </button>
      </nav>
    </header>
  );
}

function Signal({ connection }: { connection: Connection }) {
  const texts = useTexts();
  const [word, detail] = texts.connection[connection];
  return (
    <div class={`connection ${connection}`} data-testid="connection" data-connection={connection} role="status">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        {connection === "live" && <circle cx="10" cy="10" r="6" />}
        {connection === "stale" && <path d="M10 3 18 17H2z" fill="none" stroke-width="2.5" />}
        {connection === "offline" && <path d="M4 4 16 16M16 4 4 16" fill="none" stroke-width="3" />}
      </svg>
      <span class="connection-word">{word}</span>
      <span class="connection-detail">{detail}</span>
    </div>
  );
}

/** Seconds to the deadline by the server's time (consoles.md T6). */
export function Countdown({ deadline, clock }: { deadline: number | null; clock: ServerClock }) {
  const texts = useTexts();
  useTick(100);
  const left = deadline === null ? null : clock.secondsUntil(deadline);
  if (left === null) return <span class="pcountdown none" />;
  const seconds = Math.max(0, left);
  return (
    <span class={`pcountdown ${seconds < 5 ? "soon" : ""}`} data-testid="countdown" role="timer" aria-label={texts.secondsLeft}>
      {seconds.toFixed(1)}
    </span>
  );
}
