// The alarm list, the worst first: priority, table, age, what happened, what to do, owner (consoles.md S1), and who
// takes an alarm on.

import { useState } from "preact/hooks";
import { common, supervisorTexts } from "../shared/catalog";
import type { ServerClock } from "../shared/clock";
import { clock as clockText } from "../shared/format";
import { useTick, type Commands } from "../shared/live";
import type { ClaimView } from "../shared/rulings";
import type { IncidentView, SupervisorView } from "../shared/types";
import { useFocusOnce } from "../shared/focus";
import type { Colleague, Me } from "./me";
import { listTexts } from "./texts";

interface ListProps {
  view: SupervisorView;
  sequence: number;
  live: boolean;
  me: Me | null;
  rules: boolean;
  colleagues: Colleague[];
  clock: ServerClock;
  commands: Commands;
  open: (incident: number) => void;
}

export function IncidentList(props: ListProps) {
  useTick(1000);
  const { view } = props;
  if (view.incidents.length === 0) {
    return (
      <p class="none" data-testid="no-incidents">
        {supervisorTexts.noIncidents}
      </p>
    );
  }
  const ordered = [...view.incidents].sort((one, other) => rank(one) - rank(other) || one.number - other.number);
  return (
    <table class="incidents" aria-label={listTexts.title} data-testid="incidents">
      <thead>
        <tr>
          {listTexts.columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {ordered.map((incident) => (
        <Alarm key={incident.number} incident={incident} claim={view.rulings.claims.find((one) => one.incident === incident.number)} {...props} />
      ))}
    </table>
  );
}

function Alarm({ incident, claim, view, sequence, live, me, rules, colleagues, clock, commands, open }: ListProps & { incident: IncidentView; claim: ClaimView | undefined }) {
  const [handing, setHanding] = useState(false);
  const { number } = incident;
  const mine = claim !== undefined && me !== null && claim.owner === me.id;
  const free = !claim?.owner || claim.offered_to === me?.id || me?.roles.includes("manager") === true;
  const idle = live && commands.pending === "";
  const age = clock.secondsSince(incident.since_wall_ns);
  return (
    <tbody data-testid={`incident-${number}`} class={incident.level}>
      <tr>
        <td class="level">
          <svg viewBox="0 0 40 40" aria-hidden="true">
            {incident.level === "suspend" ? <path d="M13 3h14l10 10v14L27 37H13L3 27V13z" /> : <path d="M20 3 38 36H2z" />}
          </svg>
          {common.levels[incident.level] ?? incident.level}
        </td>
        <td>{view.dealer.table.name}</td>
        <td class="age" data-testid={`age-${number}`}>
          {clockText(age ?? 0)}
        </td>
        <td class="cause">
          {incident.cause}
          <span class="detail">
            {incident.detail}
            {incident.tries > 1 && ` · ${listTexts.tries(incident.tries)}`}
            {incident.cleared && ` · ${listTexts.gone}`}
          </span>
        </td>
        <td class="todo">
          {incident.next_step}
          {incident.otherwise !== "" && <span class="detail">{listTexts.otherwise(incident.otherwise)}</span>}
        </td>
        <td class="owner" data-testid={`owner-${number}`}>
          <Owner claim={claim} mine={mine} me={me} colleagues={colleagues} />
        </td>
      </tr>
      <tr>
        <td colSpan={6}>
          <div class="alarm-acts">
            {rules && (
              <button type="button" class="small" data-testid={`open-${number}`} disabled={!live} onClick={() => open(number)}>
                {listTexts.open}
              </button>
            )}
            {rules && !mine && free && (
              <button
                type="button"
                class="small"
                data-testid={`claim-${number}`}
                disabled={!idle}
                onClick={() => void commands.send("claim", { command: "claim-incident", arguments: { incident: number }, seenSequence: sequence })}
              >
                {listTexts.claim}
              </button>
            )}
            {rules && mine && !handing && (
              <button type="button" class="small" data-testid={`hand-over-${number}`} disabled={!idle} onClick={() => setHanding(true)}>
                {listTexts.handOver}
              </button>
            )}
            {claim && incident.level === "suspend" && !claim.owner && <Absent claim={claim} clock={clock} />}
            {mine && handing && (
              <HandOver
                colleagues={colleagues}
                idle={idle}
                send={async (to, text) => {
                  const answer = await commands.send("hand-over", { command: "hand-over-incident", arguments: { incident: number, to, text }, seenSequence: sequence });
                  if (answer?.ok) setHanding(false);
                }}
                close={() => setHanding(false)}
              />
            )}
          </div>
        </td>
      </tr>
    </tbody>
  );
}

function Owner({ claim, mine, me, colleagues }: { claim: ClaimView | undefined; mine: boolean; me: Me | null; colleagues: Colleague[] }) {
  if (!claim?.owner) return <span class="quiet">{listTexts.nobody}</span>;
  const name = (id: string): string => colleagues.find((one) => one.id === id)?.name ?? id;
  return (
    <>
      {mine ? listTexts.you : claim.owner_name}
      {claim.offered_to && <span class="detail">{claim.offered_to === me?.id ? listTexts.offeredYou : listTexts.offered(name(claim.offered_to))}</span>}
    </>
  );
}

/** How long until others are called, or who was (anomaly supervisor-absent). */
function Absent({ claim, clock }: { claim: ClaimView; clock: ServerClock }) {
  const left = claim.absent_wall_ns === null ? 0 : (clock.secondsUntil(claim.absent_wall_ns) ?? 0);
  const say = listTexts.absent[claim.absent_stage] ?? listTexts.absent[2];
  return (
    <span class="absent" data-testid={`absent-${claim.incident}`} data-stage={claim.absent_stage}>
      {say?.(clockText(left))}
    </span>
  );
}

interface HandOverProps {
  colleagues: Colleague[];
  idle: boolean;
  send: (to: string, text: string) => Promise<void>;
  close: () => void;
}

function HandOver({ colleagues, idle, send, close }: HandOverProps) {
  const first = useFocusOnce<HTMLSelectElement>();
  const [to, setTo] = useState("");
  const [text, setText] = useState("");
  return (
    <form
      class="hand-over"
      data-testid="hand-over"
      onKeyDown={(event) => event.key === "Escape" && close()}
      onSubmit={(event) => {
        event.preventDefault();
        if (idle && to !== "") void send(to, text);
      }}
    >
      <select value={to} required aria-label={listTexts.handOverTo} data-testid="hand-over-to" ref={first} onChange={(event) => setTo(event.currentTarget.value)}>
        <option value="">{listTexts.choosePerson}</option>
        {colleagues.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
      <input type="text" value={text} maxLength={500} aria-label={listTexts.handOverText} placeholder={listTexts.handOverText} data-testid="hand-over-text" onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit" class="small" data-testid="hand-over-do" disabled={!idle || to === ""}>
        {listTexts.handOverDo}
      </button>
    </form>
  );
}

function rank(incident: IncidentView): number {
  return ["suspend", "hold"].indexOf(incident.level) + 1 || 3;
}
