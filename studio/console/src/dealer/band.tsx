// The band across the screen: the worst thing that is open, its cause, the next step and the ways out that the
// dealer has. It stays until the incident is closed (consoles.md D7).

import { common, dealerTexts } from "../shared/catalog";
import type { Connection } from "../shared/feed";
import type { Button, DealerView, IncidentView } from "../shared/types";

interface BandProps {
  view: DealerView;
  pending: string;
  press: (name: string, button: Button) => void;
  /** Opens the entry by hand of the card of an incident. */
  enter: (incident: IncidentView) => void;
}

export function IncidentBand({ view, pending, press, enter }: BandProps) {
  const worst = worstOf(view.incidents);
  if (worst === null) return null;
  const more = view.incidents.length - 1;
  const extra = [
    worst.detail,
    worst.tries > 1 ? dealerTexts.tries(worst.tries) : "",
    more > 0 ? dealerTexts.more(more) : "",
    view.entering.length > 0 ? dealerTexts.waitsCosign : "",
  ].filter(Boolean);
  return (
    <section class={`band ${worst.level}`} role="alert" data-testid="band" data-kind={worst.kind}>
      <Level level={worst.level} />
      <div class="band-words">
        <p class="band-cause" data-testid="band-cause">
          {worst.cause}
        </p>
        <p class="band-next" data-testid="band-next">
          {worst.next_step}
        </p>
        {extra.length > 0 && <p class="band-extra">{extra.join(" · ")}</p>}
      </div>
      {view.entering.map((one) => (
        <button
          key={one.number}
          type="button"
          data-testid="take-back"
          disabled={pending !== ""}
          onClick={() => press("take-back", { command: "decline-proposal", label: dealerTexts.takeBack, arguments: { proposal: one.number, text: dealerTexts.takeBack } })}
        >
          {dealerTexts.takeBack}
        </button>
      ))}
      {worst.ways_out.includes("enter") && view.entering.length === 0 && (
        <button type="button" data-testid="way-out-enter" disabled={pending !== ""} onClick={() => enter(worst)}>
          {dealerTexts.enter}
        </button>
      )}
      {worst.ways_out.filter((way) => !isPrimary(view.primary, worst, way)).map((way) => (
        <WayOut key={way} incident={worst} way={way} pending={pending} press={press} />
      ))}
    </section>
  );
}

/** The primary button may be a way out itself; then the band does not offer it a second time. */
function isPrimary(primary: Button | null, incident: IncidentView, way: string): boolean {
  const sent = primary?.command === "resolve-incident" ? primary.arguments : null;
  return sent?.incident === incident.number && sent.way_out === way;
}

function WayOut({ incident, way, pending, press }: Omit<BandProps, "view" | "enter"> & { incident: IncidentView; way: string }) {
  const label = common.waysOut[way];
  // A way out that this catalogue has no words for is not the dealer's.
  if (label === undefined) return null;
  const name = `way-out-${way}`;
  return (
    <button
      type="button"
      data-testid={name}
      data-pending={pending === name}
      disabled={pending !== ""}
      onClick={() =>
        press(name, {
          command: "resolve-incident",
          label,
          arguments: { incident: incident.number, way_out: way, reason: "dealer" },
        })
      }
    >
      {label}
    </button>
  );
}

export function SignalBand({ connection, refusal }: { connection: Connection; refusal: string }) {
  return (
    <section class="band suspend" role="alert" data-testid="signal-band">
      <Level level="suspend" />
      <div class="band-words">
        <p class="band-cause">
          {common.stopSignal} · {common[connection]}
        </p>
        <p class="band-next">{common.stopSignalNext}</p>
        {refusal && <p class="band-extra">{refusal}</p>}
      </div>
    </section>
  );
}

function Level({ level }: { level: string }) {
  return (
    <span class="band-level">
      <svg viewBox="0 0 40 40" aria-hidden="true">
        {level === "suspend" ? <path d="M13 3h14l10 10v14L27 37H13L3 27V13z" /> : <path d="M20 3 38 36H2z" />}
      </svg>
      {common.levels[level] ?? level}
    </span>
  );
}

function worstOf(incidents: IncidentView[]): IncidentView | null {
  const first = (level: string) => incidents.find((open) => open.level === level);
  return first("suspend") ?? first("hold") ?? incidents[0] ?? null;
}
