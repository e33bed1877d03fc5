// The supervisor's panel of one table: what is open, what may be done about it, and the table beside it.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Refusal } from "../shared/api";
import { common, supervisorTexts } from "../shared/catalog";
import { ConnectionChip, Facts, Notice, Watermark } from "../shared/chrome";
import type { ServerClock } from "../shared/clock";
import type { Connection } from "../shared/feed";
import { clock as clockText, words } from "../shared/format";
import { listen } from "../shared/keys";
import { consoleAddress, fragment, type Link } from "../shared/link";
import { useCommands, useFeed, useSounds, useTick, type Commands } from "../shared/live";
import type { Sounds } from "../shared/sound";
import type { Frame, SupervisorView } from "../shared/types";
import { Beside } from "./beside";
import { useKeptFocus } from "../shared/focus";
import { FloodBar, IncidentList } from "./incidents";
import { mayRule, useColleagues, useMe, type Me } from "./me";
import { Proposals } from "./proposals";
import { listTexts, toolTexts } from "./texts";
import { ShoePage } from "./shoe";
import { Wizard, type Case } from "./wizard";

export function SupervisorPanel({ link }: { link: Link }) {
  const [state, feed] = useFeed<SupervisorView>(link, "supervisor");
  const sequence = state.frame?.sequence ?? 0;
  const commands = useCommands(link, sequence);
  // Suspending never waits for another command.
  const urgent = useCommands(link, sequence);
  const [sounds] = useSounds();
  useEdges(state.frame?.view ?? null, sounds);
  useEffect(() => listen(() => ({})), []);
  if (feed === null || state.frame === null) {
    return (
      <Notice title={common.connecting} detail={state.refusal}>
        <ConnectionChip connection={state.connection} />
      </Notice>
    );
  }
  return (
    <Panel
      link={link}
      frame={state.frame}
      connection={state.connection}
      signIn={state.refusal}
      clock={feed.clock}
      commands={commands}
      urgent={urgent}
    />
  );
}

/** What the work area shows in place of the list. */
type About = Case | { kind: "shoe" };

interface PanelProps {
  link: Link;
  frame: Frame<SupervisorView>;
  connection: Connection;
  /** What the server said when it refused the sign-in; empty otherwise. */
  signIn: string;
  clock: ServerClock;
  commands: Commands;
  urgent: Commands;
}

function Panel({ link, frame, connection, signIn, clock, commands, urgent }: PanelProps) {
  const { view } = frame;
  const live = connection === "live";
  const me = useMe(link, live);
  const rules = mayRule(me);
  const colleagues = useColleagues(link, me);
  const [about, setAbout] = useState<About | null>(() => roundOf(location.hash));
  const root = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLElement | null>(null);
  useKeptFocus(root);
  const open = (of: About): void => {
    commands.dismiss();
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setAbout(of);
  };
  const close = (): void => {
    setAbout(null);
    const before = opener.current?.dataset.testid;
    requestAnimationFrame(() => (document.querySelector<HTMLElement>(`[data-testid="${before}"]:not(:disabled)`) ?? heading.current)?.focus());
  };
  return (
    <main class="panel" data-sequence={frame.sequence} ref={root}>
      <header class="top">
        <h1>{supervisorTexts.title}</h1>
        <Facts table={view.dealer.table} onDuty={view.dealer.on_duty} clock={clock} />
        <Watermark simulated={view.dealer.table.simulated} />
        <ConnectionChip connection={connection} />
      </header>
      <div class="work">
        <Toolbar view={view} sequence={frame.sequence} live={live && rules} clock={clock} commands={commands} urgent={urgent} />
        <StatusLine view={view} me={me} rules={rules} />
        <FloodBar view={view} clock={clock} />
        {urgent.refusal && <Refused refusal={urgent.refusal} />}
        {!live && (
          <p class="signal" role="alert" data-testid="signal-band">
            {common.stopSignal} · {common[connection]} {signIn}
          </p>
        )}
        {about ? (
          <>
            <OtherAlarms view={view} about={about} />
            {about.kind === "shoe" ? (
              <ShoePage frame={frame} live={live && rules} clock={clock} commands={commands} close={close} />
            ) : (
            <Wizard key={JSON.stringify(about)} of={about} frame={frame} link={link} me={me} live={live} commands={commands} close={close} />
            )}
          </>
        ) : (
          <>
            <div class="open" data-quiet={!live}>
              <h2 tabIndex={-1} ref={heading} data-focus="">
                {listTexts.title}
              </h2>
              {commands.refusal && <Refused refusal={commands.refusal} />}
              <IncidentList
                view={view}
                sequence={frame.sequence}
                live={live}
                me={me}
                rules={rules}
                colleagues={colleagues}
                clock={clock}
                commands={commands}
                open={(incident) => open({ kind: "incident", incident })}
              />
              <Proposals
                proposals={view.rulings.proposals}
                sequence={frame.sequence}
                live={live}
                me={me}
                rules={rules}
                clock={clock}
                commands={commands}
                approve={(proposal) => open({ kind: "approve", proposal })}
              />
            </div>
            <Tools view={view} link={link} live={live} rules={rules} open={open} />
          </>
        )}
      </div>
      <Beside view={view.dealer} live={live} />
    </main>
  );
}

/** A link from a past round opens its revision: `#…&revise=12`. */
function roundOf(hash: string): Case | null {
  const round = Number(fragment(hash).get("revise") ?? 0);
  return round > 0 ? { kind: "revise", round } : null;
}

/** While one is decided, the others stay in sight. */
function OtherAlarms({ view, about }: { view: SupervisorView; about: About }) {
  const others = view.incidents.filter((one) => about.kind !== "incident" || one.number !== about.incident);
  if (others.length === 0) return null;
  return (
    <ul class="other-alarms" data-testid="other-alarms" aria-label={supervisorTexts.incidents}>
      {others.map((one) => (
        <li key={one.number} class={one.level}>
          <b>{common.levels[one.level] ?? one.level}</b> {one.cause}
        </li>
      ))}
    </ul>
  );
}

function Tools({ view, link, live, rules, open }: { view: SupervisorView; link: Link; live: boolean; rules: boolean; open: (of: About) => void }) {
  return (
    <footer class="tools">
      <button type="button" class="small" data-testid="open-shoe" disabled={!live} onClick={() => open({ kind: "shoe" })}>
        {toolTexts.shoe}
      </button>
      <a class="small" href={consoleAddress("evidence", link)} target="_blank" rel="noreferrer" data-testid="evidence">
        {toolTexts.evidence}
      </a>
      {rules && <RulingTools view={view} live={live} open={open} />}
    </footer>
  );
}

function RulingTools({ view, live, open }: { view: SupervisorView; live: boolean; open: (of: About) => void }) {
  return (
    <>
      <button type="button" class="small" data-testid="open-hidden" disabled={!live} onClick={() => open({ kind: "hidden" })}>
        {toolTexts.hidden}
      </button>
      <button type="button" class="small" data-testid="open-revise" disabled={!live} onClick={() => open({ kind: "revise", round: 0 })}>
        {toolTexts.revise}
      </button>
      <button
        type="button"
        class="small harm"
        data-testid="open-void"
        disabled={!live || !view.can_void}
        title={view.can_void ? "" : supervisorTexts.nothingToVoid}
        onClick={() => open({ kind: "void" })}
      >
        {supervisorTexts.openVoid}
      </button>
    </>
  );
}

/** Who else is here, a scan under way, and by which rules and rulings the table goes (S12). */
function StatusLine({ view, me, rules }: { view: SupervisorView; me: Me | null; rules: boolean }) {
  const { table } = view.dealer;
  const { present, scan } = view.rulings;
  const others = present.filter((one) => one.person !== me?.id);
  return (
    <div class="status-line">
      <span data-testid="presence" role="status">
        {listTexts.here}: <b>{others.length === 0 ? listTexts.alone : others.map((one) => (one.correcting === null ? one.name : `${one.name} (${listTexts.correcting(one.correcting)})`)).join(", ")}</b>
      </span>
      {!rules && <b data-testid="read-only">{listTexts.readOnly}</b>}
      {scan && (
        <b class="warn" data-testid="scan">
          {scan.due !== null ? `${listTexts.scan(scan.read, scan.expected)} · ${listTexts.scanDue(scan.due)}` : listTexts.scanDiffers(scan.differing.join(", "))}
        </b>
      )}
      <span class="hashes" data-testid="hashes">
        {listTexts.rules} <code title={table.rules_hash}>{table.rules_hash.slice(0, 8)}</code> · {listTexts.profile} {table.profile} <code title={table.profile_hash}>{table.profile_hash.slice(0, 8)}</code>
      </span>
    </div>
  );
}

function Refused({ refusal }: { refusal: Refusal }) {
  const stale = refusal.code === "stale-view";
  return (
    <p class="refusal" role="alert" data-testid="refusal">
      <b>{supervisorTexts.refused}.</b> {refusal.text} {stale && <span data-testid="changed">{refusal.changed.map(words).join(", ")}</span>}
    </p>
  );
}

interface ToolbarProps {
  view: SupervisorView;
  sequence: number;
  live: boolean;
  clock: ServerClock;
  commands: Commands;
  urgent: Commands;
}

/** Suspend in one press, the dealer's call, and the shoe step that waits for a supervisor. */
function Toolbar({ view, sequence, live, clock, commands, urgent }: ToolbarProps) {
  useTick(500);
  const { call, primary } = view.dealer;
  const { pending } = commands;
  const stop = view.incidents.find((open) => open.kind === "supervisor-stop");
  const elapsed = call ? clockText(clock.secondsSince(call.since_wall_ns) ?? 0) : "";
  const suspend = (): void => {
    // A second press is a no-op: the table is already stopped by a supervisor.
    if (live && stop === undefined) {
      void urgent.send("suspend", { command: "suspend", arguments: { reason: "stopped from the panel" } });
    }
  };
  return (
    <div class="toolbar">
      <button
        type="button"
        class="suspend-button"
        data-testid="suspend"
        data-pending={urgent.pending !== ""}
        aria-disabled={stop !== undefined}
        disabled={!live}
        onClick={suspend}
      >
        {stop ? supervisorTexts.suspended : supervisorTexts.suspend}
        {stop && <span class="suspend-why" data-testid="suspend-why">{stop.detail}</span>}
      </button>
      {call && (
        <div class={`called ${call.seen_by ? "" : "waiting"}`} data-testid="call" role="status">
          <span>{call.seen_by ? supervisorTexts.callSeen(call.seen_by, elapsed) : supervisorTexts.called(elapsed)}</span>
          {!call.seen_by && (
            <button
              type="button"
              data-testid="answer-call"
              data-pending={pending === "answer-call"}
              disabled={!live || pending !== ""}
              onClick={() => void commands.send("answer-call", { command: "answer-call", arguments: {} })}
            >
              {supervisorTexts.answer}
            </button>
          )}
        </div>
      )}
      {primary?.command === "confirm-shoe-step" && (
        <button
          type="button"
          data-testid="confirm-shoe-step"
          data-pending={pending === "confirm-shoe-step"}
          disabled={!live || pending !== ""}
          onClick={() => void commands.send("confirm-shoe-step", { command: primary.command, arguments: primary.arguments, seenSequence: sequence })}
        >
          <span class="fact-label">{supervisorTexts.confirmStep}</span>
          {primary.label}
        </button>
      )}
    </div>
  );
}

/** A new call chimes, a new incident sounds refused; each is shown as well. */
function useEdges(view: SupervisorView | null, sounds: Sounds): void {
  const shown = useRef<SupervisorView | null>(null);
  useEffect(() => {
    const before = shown.current;
    shown.current = view;
    if (before === null || view === null) return;
    if (view.dealer.call && !before.dealer.call) sounds.play("chime");
    const fresh = view.incidents.some((open) => !before.incidents.some((known) => known.number === open.number));
    if (fresh) sounds.play("refuse");
  }, [view, sounds]);
}
