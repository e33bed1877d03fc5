// The demo: each table as its dealer, its supervisor and a player see it, and the hand of fate on its simulated shoe.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { demoTexts } from "../shared/catalog";
import { Watermark } from "../shared/chrome";
import { consoleAddress } from "../shared/link";
import { FaultButton } from "./button";
import { CameraFaults, CameraPanel } from "./camera";
import { Control, ControlRefusal, type ControlState, type DemoLink, type DemoTable } from "./control";

const POLL_MS = 500;
// The two sizes that the consoles are made for; the smaller one stays legible in a narrow window.
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 1024, height: 768 };
const WIDE_FROM = 700;

export function DemoPage({ link }: { link: DemoLink }) {
  const [shown, setShown] = useState(link.tables[0]!);
  return (
    <main class="demo-page">
      <header class="demo-top">
        <h1>{demoTexts.title}</h1>
        <Watermark simulated={true} />
        <Tabs tables={link.tables} shown={shown} show={setShown} />
      </header>
      <TablePanel key={shown.id} table={shown} link={link} />
    </main>
  );
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** One tab for each table; the arrow keys go from one to the next. */
function Tabs({ tables, shown, show }: { tables: DemoTable[]; shown: DemoTable; show: (table: DemoTable) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const place = (tables.indexOf(shown) + step + tables.length) % tables.length;
    show(tables[place]!);
    list.current?.querySelectorAll("button")[place]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={demoTexts.tables} ref={list} onKeyDown={onKey}>
      {tables.map((table) => (
        <button
          key={table.id}
          id={`tab-${table.id}`}
          type="button"
          role="tab"
          aria-selected={table === shown}
          aria-controls="table-panel"
          tabIndex={table === shown ? 0 : -1}
          data-testid={`tab-${table.id}`}
          onClick={() => show(table)}
        >
          {table.name}
        </button>
      ))}
    </div>
  );
}

/** One table: its people's three screens, and what can be done to its shoe. */
function TablePanel({ table, link }: { table: DemoTable; link: DemoLink }) {
  const screens = [
    { title: demoTexts.dealerFrame, page: "dealer", token: table.dealer },
    { title: demoTexts.supervisorFrame, page: "supervisor", token: link.supervisor },
    { title: demoTexts.playerFrame, page: "player", token: table.guest },
  ] as const;
  return (
    <div id="table-panel" role="tabpanel" aria-labelledby={`tab-${table.id}`}>
      <div class="frames">
        {screens.map(({ title, page, token }) => (
          <Framed key={page} title={title} address={consoleAddress(page, { table: table.id, token })} />
        ))}
        {table.camera && <CameraPanel table={table} supervisor={link.supervisor} />}
      </div>
      {table.control === null ? (
        <p class="waiting" data-testid="no-shoe">
          {demoTexts.serverDeals}
        </p>
      ) : (
        <>
          {table.camera && <CameraFaults address={table.control} token={link.controlToken} />}
          <ShoePanel address={table.control} token={link.controlToken} />
        </>
      )}
    </div>
  );
}

/** A simulated shoe: how it is, and its buttons. */
function ShoePanel({ address, token }: { address: string; token: string }) {
  const control = useMemo(() => new Control(address, token), [address, token]);
  const [state, setState] = useState<ControlState | null>(null);
  const [problem, setProblem] = useState("");
  const [refusal, setRefusal] = useState("");

  const refresh = async (): Promise<void> => {
    try {
      setState(await control.state());
      setProblem("");
    } catch (error) {
      setProblem(error instanceof ControlRefusal ? error.message : demoTexts.noControl);
    }
  };
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), POLL_MS);
    return () => clearInterval(timer);
  }, [control]);

  const act: Act = (path, body) => {
    setRefusal("");
    control
      .post(path, body)
      .catch((error: unknown) => setRefusal(error instanceof ControlRefusal ? error.message : demoTexts.noControl))
      .finally(() => void refresh());
  };

  return (
    <>
      <div class="shoe-top">
        {state && <ShoeLine state={state} />}
        {(problem || refusal) && (
          <p class="problem" role="alert" data-testid="control-problem">
            {problem || refusal}
          </p>
        )}
      </div>
      {state ? <Controls state={state} act={act} /> : <p class="waiting">{problem ? "" : demoTexts.waiting}</p>}
    </>
  );
}

type Act = (path: string, body?: Record<string, unknown>) => void;

function ShoeLine({ state }: { state: ControlState }) {
  const { shoe, link } = state;
  return (
    <p class="shoe-line" data-testid="shoe-line">
      {[
        demoTexts.shoe(shoe.dealt, shoe.left),
        demoTexts.seed(shoe.seed),
        link.plugged ? demoTexts.reader(link.state) : demoTexts.unplugged,
        shoe.waiting_for_rescan.length > 0 ? demoTexts.unread(shoe.waiting_for_rescan.length) : "",
      ]
        .filter(Boolean)
        .join(" · ")}
    </p>
  );
}

/** A console at its own size, shrunk to the room it has. */
function Framed({ title, address }: { title: string; address: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(640);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom(entry.contentRect.width);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const size = room < WIDE_FROM ? NARROW : WIDE;
  const scale = room / size.width;
  return (
    <section class="framed">
      <div class="frame-box" ref={box} style={{ height: `${size.height * scale}px` }}>
        <iframe
          title={title}
          src={address}
          allow="autoplay"
          width={size.width}
          height={size.height}
          style={{ transform: `scale(${scale})` }}
        />
      </div>
    </section>
  );
}

function Controls({ state, act }: { state: ControlState; act: Act }) {
  return (
    <div class="controls" aria-label={demoTexts.controls}>
      <section class="hands-on">
        <div class="row">
          <button type="button" data-testid="pull" onClick={() => act("/pull")}>
            {demoTexts.pull}
          </button>
          <button type="button" data-testid="rescan" onClick={() => act("/rescan")}>
            {demoTexts.rescan}
          </button>
          {state.shoe.continuous ? (
            <button type="button" data-testid="return-cards" onClick={() => act("/return-cards")}>
              {demoTexts.returnCards}
            </button>
          ) : (
            <button type="button" data-testid="new-shoe" onClick={() => act("/new-shoe")}>
              {demoTexts.newShoe}
            </button>
          )}
        </div>
        <div class="row">
          <button type="button" data-testid="pause" aria-pressed={state.paused} onClick={() => act(state.paused ? "/resume" : "/pause")}>
            {state.paused ? demoTexts.resume : demoTexts.pause}
          </button>
          <button type="button" data-testid="step" onClick={() => act("/step")}>
            {demoTexts.step}
          </button>
        </div>
        <label class="pace">
          <span>
            {demoTexts.pace} <output data-testid="pace-value">{demoTexts.perCard(state.seconds_per_card)}</output>
          </span>
          <input
            type="range"
            min={0}
            max={5}
            step={0.1}
            value={state.seconds_per_card}
            data-testid="pace"
            onChange={(event) => act("/pace", { seconds_per_card: Number(event.currentTarget.value) })}
          />
        </label>
        {state.link.refusal && <p class="link-refusal">{state.link.refusal}</p>}
      </section>
      <div class="faults">
        {Object.entries(demoTexts.kinds).map(([kind, heading]) => (
          <section key={kind}>
            <h2>{heading}</h2>
            <div class="fault-grid">
              {state.faults
                .filter((fault) => fault.kind === kind)
                .map((fault) => (
                  <FaultButton
                    key={fault.name}
                    fault={fault}
                    testid={`fault-${fault.name}`}
                    press={() => act(`/faults/${fault.name}`, { active: !fault.active })}
                  />
                ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}
