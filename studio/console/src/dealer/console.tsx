// The dealer's console: one instruction, one button, the cards, and what is wrong. It paints the newest view and
// sends what the buttons of that view say; what is allowed it does not know.

import { useEffect, useRef, useState } from "preact/hooks";
import { common, dealerTexts } from "../shared/catalog";
import { ConnectionChip, Facts, Notice, Watermark } from "../shared/chrome";
import type { ServerClock } from "../shared/clock";
import { DeviceChips } from "../shared/devices";
import { DealerHand, Seats } from "../shared/felt";
import type { Connection } from "../shared/feed";
import { listen, type Hotkeys } from "../shared/keys";
import type { Link } from "../shared/link";
import { useCommands, useFeed, usePainted, useSounds, useTick, type Commands } from "../shared/live";
import type { Sounds } from "../shared/sound";
import type { Button, DealerView, Frame } from "../shared/types";
import { Actions } from "./actions";
import { IncidentBand, SignalBand } from "./band";
import { Brightness, SoundChip } from "./comfort";
import { CardEntry } from "./entry";
import { MisdealHelper } from "./misdeal";
import { NewestCards } from "./newest";

export function DealerConsole({ link }: { link: Link }) {
  const [state, feed] = useFeed<DealerView>(link, "dealer");
  const sequence = state.frame?.sequence ?? 0;
  const commands = useCommands(link, sequence);
  // The call never waits for another command.
  const urgent = useCommands(link, sequence);
  const [sounds, heard] = useSounds();
  usePainted(feed, state.frame?.sequence);
  useEdges(state.frame?.view ?? null, sounds);
  if (feed === null || state.frame === null) {
    return (
      <Notice title={common.connecting} detail={state.refusal}>
        <ConnectionChip connection={state.connection} />
      </Notice>
    );
  }
  return (
    <Screen
      frame={state.frame}
      connection={state.connection}
      refusal={state.refusal}
      clock={feed.clock}
      commands={commands}
      urgent={urgent}
      sounds={sounds}
      heard={heard}
    />
  );
}

interface ScreenProps {
  frame: Frame<DealerView>;
  connection: Connection;
  refusal: string;
  clock: ServerClock;
  commands: Commands;
  urgent: Commands;
  sounds: Sounds;
  heard: boolean;
}

function Screen({ frame, connection, refusal, clock, commands, urgent, sounds, heard }: ScreenProps) {
  const { view } = frame;
  const { table } = view;
  const live = connection === "live";
  const press = (name: string, button: Button): void => {
    if (live) void commands.send(name, { command: button.command, arguments: button.arguments });
  };
  const call = (): void => {
    if (live && view.call === null) void urgent.send("call", { command: "call-supervisor", arguments: {} });
  };
  useHotkeys(view, press, call);
  const [helper, setHelper] = useState<Helper>(null);
  const entered = typeof helper === "number" ? view.incidents.find((open) => open.number === helper && open.ways_out.includes("enter")) : undefined;
  const close = (): void => setHelper(null);
  return (
    <main class="console" data-sequence={frame.sequence} data-phase={table.phase}>
      <header class="top">
        <Facts table={table} onDuty={view.on_duty} clock={clock} />
        <ConnectionChip connection={connection} />
        <Brightness />
        <SoundChip heard={heard} sounds={sounds} />
      </header>
      <div class="lead" data-quiet={!live}>
        <h1 class="instruction" role="status" data-testid="instruction">
          {view.instruction.words}
        </h1>
        <div class="lead-side">
          <Countdown deadline={table.deadline_wall_ns} clock={clock} />
          <span class="phase" data-testid="phase">
            {common.phases[table.phase] ?? table.phase}
            {table.round > 0 && ` · ${common.round(table.round)}`}
          </span>
          <DeviceChips devices={view.devices} />
        </div>
      </div>
      {live ? (
        <IncidentBand view={view} pending={commands.pending} press={press} enter={(incident) => setHelper(incident.number)} />
      ) : (
        <SignalBand connection={connection} refusal={refusal} />
      )}
      <div class="body" data-testid="felt" data-quiet={!live}>
        <NewestCards cards={view.last_cards} />
        <div class="felt">
          <Watermark simulated={table.simulated} />
          <DealerHand hand={table.dealer_hand} />
          <Seats table={table} />
        </div>
        {live && helper === "misdeal" && <MisdealHelper seats={table.seats.length} pending={commands.pending} press={press} close={close} />}
        {live && entered && view.entering.length === 0 && <CardEntry incident={entered} pending={commands.pending} press={press} close={close} />}
      </div>
      <Actions view={view} live={live} clock={clock} commands={commands} urgent={urgent} press={press} call={call} misdeal={() => setHelper(helper === "misdeal" ? null : "misdeal")} />
    </main>
  );
}

/** What lies over the felt: the misdeal helper, or the entry by hand of an incident's card. */
type Helper = "misdeal" | number | null;

function Countdown({ deadline, clock }: { deadline: number | null; clock: ServerClock }) {
  useTick(100);
  const left = deadline === null ? null : clock.secondsUntil(deadline);
  if (left === null) return null;
  return (
    <span class="countdown" data-testid="countdown" aria-label={dealerTexts.timeLeft}>
      {Math.max(0, left).toFixed(1)}
    </span>
  );
}

function useHotkeys(view: DealerView, press: (name: string, button: Button) => void, call: () => void): void {
  const hotkeys = useRef<Hotkeys>({});
  hotkeys.current = {
    Space: () => {
      if (view.primary) press("primary", view.primary);
    },
    F9: call,
  };
  useEffect(() => listen(() => hotkeys.current), []);
}

/** Sounds for what changed between two views; the first view and a repeated one are silent. */
function useEdges(view: DealerView | null, sounds: Sounds): void {
  const shown = useRef<DealerView | null>(null);
  useEffect(() => {
    const before = shown.current;
    shown.current = view;
    if (before === null || view === null) return;
    const worse = view.incidents.some((open) => !before.incidents.some((known) => known.number === open.number && known.tries >= open.tries));
    if (worse) sounds.play("refuse");
    else if ((view.last_cards[0]?.draw ?? 0) > (before.last_cards[0]?.draw ?? 0)) sounds.play("accept");
    if (view.call?.seen_by && !before.call?.seen_by) sounds.play("chime");
  }, [view, sounds]);
}
