// The player's terminal: one page for every game. It paints the public view and the own one, and sends what is
// pressed; what is legal, and what it costs, comes in the views (consoles.md part e).

import { useEffect, useRef, useState } from "preact/hooks";
import { Notice } from "../shared/chrome";
import type { ServerClock } from "../shared/clock";
import { amount } from "../shared/format";
import type { Connection } from "../shared/feed";
import { listen, type Hotkeys } from "../shared/keys";
import type { Link } from "../shared/link";
import type { Frame } from "../shared/types";
import { AboutRules, Fairness } from "./about";
import { ACTION_KEYS, ActionBar } from "./actionbar";
import { keyOf, refusalNote, useAhead, useAsking } from "./asking";
import { CHIPS, useBetting } from "./betting";
import { Cards } from "./cards";
import { Following, nextChoice, type Follow } from "./following";
import { History } from "./history";
import { Texts, totalWord, useLanguage, useTexts } from "./language";
import { useMemory } from "./memory";
import { useNotices } from "./notices";
import { useNotes } from "./notes";
import { OneHand } from "./onehand";
import { Panel } from "./panel";
import { firstFree, Seats } from "./seats";
import { statusOf } from "./status";
import { usePlayerTable, type PlayerTable } from "./table";
import { Countdown, Top, type PanelName } from "./top";
import { Tray } from "./tray";
import type { PlayerView, PublicView } from "./types";

export function Terminal({ link }: { link: Link | null }) {
  const [texts, toggleLanguage] = useLanguage();
  return (
    <Texts.Provider value={texts}>
      {link ? (
        <Connected link={link} toggleLanguage={toggleLanguage} />
      ) : (
        <Notice title={texts.noLink} detail={texts.noLinkDetail} />
      )}
    </Texts.Provider>
  );
}

function Connected({ link, toggleLanguage }: { link: Link; toggleLanguage: () => void }) {
  const texts = useTexts();
  const play = usePlayerTable(link, texts);
  const { feed, state, own } = play;
  if (feed === null || state.frame === null || own === null) {
    return <Notice title={texts.connecting} detail={state.refusal} />;
  }
  return (
    <Screen
      play={play}
      frame={state.frame}
      own={own}
      connection={state.connection}
      clock={feed.clock}
      toggleLanguage={toggleLanguage}
    />
  );
}

interface ScreenProps {
  play: PlayerTable;
  frame: Frame<PublicView>;
  own: Frame<PlayerView>;
  connection: Connection;
  clock: ServerClock;
  toggleLanguage: () => void;
}

function Screen({ play, frame, own: ownFrame, connection, clock, toggleLanguage }: ScreenProps) {
  const texts = useTexts();
  const table = frame.view;
  const own = ownFrame.view;
  const live = connection === "live";
  const notes = useNotes();
  const [panel, setPanel] = useState<PanelName | null>(null);
  const betting = useBetting(play, table, own, live, notes, texts);
  const asking = useAsking(play, table, own, live, clock, notes, texts);
  const ahead = useAhead(play, table, own, live, notes, texts);
  useNotices(own, notes, texts);
  useMemory(play, table, own, connection, notes, texts);

  const sit = async (seat: number, action: "take" | "leave"): Promise<void> => {
    const answer = await play.send("sit", "seats", { seat, action });
    if (answer?.ok === false) notes.add("warn", refusalNote(texts, `${texts.seat(seat)} · ${texts[action]}`, answer));
    if (answer?.ok && action === "take") betting.choose({ kind: "main", seat });
  };
  const follow = async (what: Follow, value: boolean | null): Promise<void> => {
    const answer = await play.send("following", "following", { ...own.following, [what]: value });
    if (answer?.ok === false) notes.add("warn", refusalNote(texts, texts.following, answer));
  };
  const toggle = (name: PanelName): void => setPanel((shown) => (shown === name ? null : name));

  const keys: Hotkeys = {
    ArrowLeft: () => betting.step(-1),
    ArrowRight: () => betting.step(1),
    ArrowUp: () => ahead.step(-1),
    ArrowDown: () => ahead.step(1),
    Numpad0: betting.repeat,
    Digit0: betting.repeat,
    Backspace: betting.undo,
    Delete: betting.clear,
    KeyC: betting.confirm,
    KeyB: () => toggle("history"),
    KeyU: () => toggle("rules"),
    KeyV: () => toggle("fairness"),
    KeyL: toggleLanguage,
    Escape: () => setPanel(null),
    KeyT: () => {
      const free = firstFree(table, own);
      if (live && free !== null) void sit(free, "take");
    },
    KeyX: () => {
      const seat = betting.chosen?.seat ?? own.seats[0];
      if (live && table.layout === "seats" && seat !== undefined && own.seats.includes(seat)) void sit(seat, "leave");
    },
  };
  CHIPS.forEach((value, index) => {
    keys[`Digit${index + 1}`] = () => betting.chip(value, 1);
    keys[`Shift+Digit${index + 1}`] = () => betting.chip(value, -1);
  });
  const offered = asking.question?.actions ?? ahead.actions;
  for (const action of offered) {
    keys[`Key${ACTION_KEYS[action] ?? ""}`] = () => (asking.question ? asking.answer(action) : ahead.plan(action));
  }
  if (table.bet_behind) {
    keys.F2 = () => void follow("double", nextChoice(own.following.double));
    keys.F4 = () => void follow("split", nextChoice(own.following.split));
  }
  const hotkeys = useRef<Hotkeys>(keys);
  hotkeys.current = keys;
  useEffect(() => listen(() => hotkeys.current), []);

  useAttention(asking.question === null ? "" : keyOf(asking.question), () => setPanel(null));

  const status = statusOf(texts, table, own, connection);
  const deadline = asking.question?.deadline_wall_ns ?? table.deadline_wall_ns;
  return (
    <main
      class={`terminal ${table.layout}`}
      data-sequence={frame.sequence}
      data-own-sequence={ownFrame.sequence}
      data-phase={table.phase}
      data-playing={String(!["idle", "betting"].includes(table.phase))}
    >
      <Top table={table} connection={connection} panel={panel} open={toggle} toggleLanguage={toggleLanguage} />
      <div class="table-felt" data-quiet={!live} data-testid="felt">
        <div class="house">
          <div class="house-side facts-side">
            <p class="quiet">{texts.limits(amount(table.minimum), amount(table.maximum))}</p>
            {table.shoe?.state === "last-round" && <p class="last-round">{texts.lastRound}</p>}
            {table.commitment !== "" && (
              <p class="commitment">
                <span class="quiet">{texts.commitmentLabel}</span>
                <code>{table.commitment}</code>
              </p>
            )}
          </div>
          <section class="pdealer" data-testid="dealer-hand" aria-label={texts.dealer}>
            <header>
              <h2>{texts.dealer}</h2>
              <b class="total">{totalWord(texts, table.dealer_hand.total)}</b>
            </header>
            <Cards hand={table.dealer_hand} />
          </section>
          <div class="house-side switches">
            {table.bet_behind && (
              <Following
                following={own.following}
                disabled={!live || play.pending.has("following")}
                set={(what, value) => void follow(what, value)}
              />
            )}
          </div>
        </div>
        <div class={`now ${status.tone}`}>
          <p class="status" role="status" data-testid="status">
            {status.text}
          </p>
          <Countdown deadline={deadline} clock={clock} />
        </div>
        {table.layout === "seats" ? (
          <Seats
            table={table}
            own={own}
            betting={betting}
            live={live}
            sit={play.pending.has("sit") ? null : (seat, action) => void sit(seat, action)}
          />
        ) : (
          <OneHand table={table} own={own} betting={betting} />
        )}
      </div>
      <div class="dock">
        <ActionBar table={table} own={own} asking={asking} ahead={ahead} live={live} notes={notes} />
        <Tray betting={betting} table={table} own={own} name={play.name} />
      </div>
      {panel === "history" && (
        <Panel name="history" title={texts.history} close={() => setPanel(null)}>
          <History api={play.api} table={table} sequence={frame.sequence} />
        </Panel>
      )}
      {panel === "rules" && (
        <Panel name="rules" title={texts.rules} close={() => setPanel(null)}>
          <AboutRules table={table} rules={play.rules} />
        </Panel>
      )}
      {panel === "fairness" && (
        <Panel name="fairness" title={texts.fairness} close={() => setPanel(null)}>
          <Fairness table={table} rules={play.rules} />
        </Panel>
      )}
    </main>
  );
}

/** On a small screen a new question closes what lies over the table and brings the asked hand into sight. */
function useAttention(asked: string, uncover: () => void): void {
  useEffect(() => {
    if (asked === "" || !window.matchMedia("(max-width: 1000px)").matches) return;
    uncover();
    document.querySelector(".phand.active")?.scrollIntoView({ block: "nearest" });
  }, [asked]);
}
