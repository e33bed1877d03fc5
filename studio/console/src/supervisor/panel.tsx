// The supervisor's panel of one table: what is open, what may be done about it, and the table beside it.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Refusal } from "../shared/api";
import { common, supervisorTexts } from "../shared/catalog";
import { ConnectionChip, Facts, Notice, Watermark } from "../shared/chrome";
import type { ServerClock } from "../shared/clock";
import type { Connection } from "../shared/feed";
import { clock as clockText } from "../shared/format";
import { listen } from "../shared/keys";
import type { Link } from "../shared/link";
import { useCommands, useFeed, useSounds, useTick, type Commands } from "../shared/live";
import type { Sounds } from "../shared/sound";
import type { Frame, SupervisorView } from "../shared/types";
import { Beside } from "./beside";
import { DecisionForm, type Decision } from "./decision";
import { IncidentList } from "./incidents";

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
      frame={state.frame}
      connection={state.connection}
      signIn={state.refusal}
      clock={feed.clock}
      commands={commands}
      urgent={urgent}
    />
  );
}

interface PanelProps {
  frame: Frame<SupervisorView>;
  connection: Connection;
  /** What the server said when it refused the sign-in; empty otherwise. */
  signIn: string;
  clock: ServerClock;
  commands: Commands;
  urgent: Commands;
}

function Panel({ frame, connection, signIn, clock, commands, urgent }: PanelProps) {
  const { view } = frame;
  const live = connection === "live";
  const [decision, setDecision] = useState<Decision | null>(null);
  const decide = (way: string, incident: number | null): void => {
    commands.dismiss();
    setDecision({ way, incident, seenSequence: frame.sequence });
  };
  return (
    <main class="panel" data-sequence={frame.sequence}>
      <header class="top">
        <h1>{supervisorTexts.title}</h1>
        <Facts table={view.dealer.table} onDuty={view.dealer.on_duty} clock={clock} />
        <Watermark simulated={view.dealer.table.simulated} />
        <ConnectionChip connection={connection} />
      </header>
      <div class="work">
        <Toolbar view={view} sequence={frame.sequence} live={live} clock={clock} commands={commands} urgent={urgent} />
        {urgent.refusal && <Refused refusal={urgent.refusal} />}
        {!live && (
          <p class="signal" role="alert" data-testid="signal-band">
            {common.stopSignal} · {common[connection]} {signIn}
          </p>
        )}
        <div class="open" data-quiet={!live}>
          <IncidentList view={view} live={live} decision={decision} decide={decide} />
        </div>
        {decision ? (
          <DecisionForm
            key={`${decision.incident}-${decision.way}`}
            decision={decision}
            frame={frame}
            live={live}
            commands={commands}
            close={() => setDecision(null)}
          />
        ) : (
          <footer class="void-entry">
            {commands.refusal && <Refused refusal={commands.refusal} />}
            <button
              type="button"
              data-testid="open-void"
              disabled={!live || !view.can_void}
              title={view.can_void ? "" : supervisorTexts.nothingToVoid}
              onClick={() => decide("void", null)}
            >
              {supervisorTexts.openVoid}
            </button>
          </footer>
        )}
      </div>
      <Beside view={view.dealer} live={live} />
    </main>
  );
}

function Refused({ refusal }: { refusal: Refusal }) {
  return (
    <p class="refusal" role="alert" data-testid="refusal">
      <b>{supervisorTexts.refused}.</b> {refusal.text}
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
