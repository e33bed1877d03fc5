// The alarm list, the worst first: priority, table, age, what happened, what to do, owner (consoles.md S1), and who
// takes an alarm on.

import { useState } from "preact/hooks";
import { common, supervisorTexts } from "../shared/catalog";
import type { ServerClock } from "../shared/clock";
import { Columns } from "../shared/columns";
import { clock as clockText } from "../shared/format";
import { useTick, type Commands } from "../shared/live";
import type { ClaimView } from "../shared/rulings";
import type { IncidentView, SupervisorView } from "../shared/types";
import { useFocusOnce } from "../shared/focus";
import { floodOf, folded } from "./flood";
import type { Colleague, Me } from "./me";
import { OnShelf, Shelve, shelfOf } from "./shelf";
import { floodTexts, listTexts } from "./texts";

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
  const place = (one: IncidentView): number => (shelfOf(one, props.clock) ? 9 : rank(one));
  const ordered = [...view.incidents].sort((one, other) => place(one) - place(other) || one.number - other.number);
  const shelved = ordered.filter((one) => shelfOf(one, props.clock));
  const rows = [...folded(ordered.filter((one) => !shelved.includes(one))), ...shelved.map((one) => [one])];
  return (
    <table class="incidents" aria-label={listTexts.title} data-testid="incidents">
      <Columns names={listTexts.columns} />
      {rows.map((row) => (
        <Row key={row[0]?.number} row={row} {...props} />
      ))}
    </table>
  );
}

/** One alarm, or several of a kind as one row until somebody unfolds them. */
function Row({ row, ...props }: ListProps & { row: IncidentView[] }) {
  const [open, setOpen] = useState(false);
  const claimOf = (incident: IncidentView): ClaimView | undefined => props.view.rulings.claims.find((one) => one.incident === incident.number);
  const alarms = row.map((incident) => <Alarm key={incident.number} incident={incident} claim={claimOf(incident)} {...props} />);
  const first = row[0];
  if (first === undefined || row.length === 1) return <>{alarms}</>;
  return (
    <>
      <tbody class={`folded ${first.level}`} data-testid={`folded-${first.kind}`}>
        <tr>
          <td class="level">
            <LevelGlyph level={first.level} />
            {common.levels[first.level] ?? first.level}
          </td>
          <td>{props.view.dealer.table.name}</td>
          <td class="age">{clockText(props.clock.secondsSince(first.since_wall_ns) ?? 0)}</td>
          <td class="cause">
            <b class="times" data-testid={`times-${first.kind}`}>
              {listTexts.times(row.length)}
            </b>{" "}
            {first.cause}
          </td>
          <td class="todo">{first.next_step}</td>
          <td>
            <button type="button" class="small" aria-expanded={open} data-testid={`unfold-${first.kind}`} onClick={() => setOpen(!open)}>
              {open ? listTexts.fold : listTexts.unfold(row.length)}
            </button>
          </td>
        </tr>
      </tbody>
      {open && alarms}
    </>
  );
}

function LevelGlyph({ level }: { level: string }) {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true">
      {level === "suspend" ? <path d="M13 3h14l10 10v14L27 37H13L3 27V13z" /> : <path d="M20 3 38 36H2z" />}
    </svg>
  );
}

function Alarm({ incident, claim, view, sequence, live, me, rules, colleagues, clock, commands, open }: ListProps & { incident: IncidentView; claim: ClaimView | undefined }) {
  const [handing, setHanding] = useState(false);
  const [shelving, setShelving] = useState(false);
  const shelf = shelfOf(incident, clock);
  const shelve = (minutes: number, text: string) =>
    commands.send("shelve", { command: "shelve-incident", arguments: { incident: incident.number, minutes, text }, seenSequence: sequence });
  const { number } = incident;
  const mine = claim !== undefined && me !== null && claim.owner === me.id;
  const free = !claim?.owner || claim.offered_to === me?.id || me?.roles.includes("manager") === true;
  const idle = live && commands.pending === "";
  const age = clock.secondsSince(incident.since_wall_ns);
  return (
    <tbody data-testid={`incident-${number}`} class={`${incident.level} ${shelf ? "shelved" : ""}`}>
      <tr>
        <td class="level">
          <LevelGlyph level={incident.level} />
          {common.levels[incident.level] ?? incident.level}
          <span class="detail" data-testid={`state-${number}`}>
            {shelf ? listTexts.shelved : listTexts.states[incident.cleared ? 1 : 0]?.[claim?.owner ? 1 : 0]}
          </span>
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
            {rules && free && incident.level !== "suspend" && !shelf && !shelving && (
              <button type="button" class="small" data-testid={`shelve-${number}`} disabled={!idle} onClick={() => setShelving(true)}>
                {listTexts.shelve}
              </button>
            )}
            {shelf && <OnShelf number={number} shelf={shelf} clock={clock} idle={idle} back={rules && free ? () => void shelve(0, shelf.text) : null} />}
            {shelving && (
              <Shelve
                idle={idle}
                send={async (minutes, text) => {
                  const answer = await shelve(minutes, text);
                  if (answer?.ok) setShelving(false);
                }}
                close={() => setShelving(false)}
              />
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

/** Above everything while alarms flood the table: from where they probably come, the most first (S3). */
export function FloodBar({ view, clock }: { view: SupervisorView; clock: ServerClock }) {
  useTick(5000);
  const flood = floodOf(view.raised, clock);
  if (flood === null) return null;
  return (
    <p class="flood" role="status" data-testid="flood">
      <b>{floodTexts.title}</b> {floodTexts.alarms(flood.alarms)}{" "}
      {flood.sources.map(([source, count]) => (
        <span key={source} class="flood-source">
          {floodTexts.sources[source] ?? source} <b>{count}</b>
        </span>
      ))}
    </p>
  );
}

function rank(incident: IncidentView): number {
  return ["suspend", "hold"].indexOf(incident.level) + 1 || 3;
}
