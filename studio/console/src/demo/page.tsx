// The demo: both consoles as their people see them, and the hand of fate on the simulated shoe between the two.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { demoTexts } from "../shared/catalog";
import { Watermark } from "../shared/chrome";
import { words } from "../shared/format";
import { consoleAddress } from "../shared/link";
import { Control, ControlRefusal, type ControlState, type DemoLink, type Fault } from "./control";

const POLL_MS = 500;
// The two sizes that the consoles are made for; the smaller one stays legible in a narrow window.
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 1024, height: 768 };
const WIDE_FROM = 800;

export function DemoPage({ link }: { link: DemoLink }) {
  const control = useMemo(() => new Control(link), [link]);
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
    <main class="demo-page">
      <header class="demo-top">
        <h1>{demoTexts.title}</h1>
        <Watermark simulated={true} />
        {state && <ShoeLine state={state} />}
        {(problem || refusal) && (
          <p class="problem" role="alert" data-testid="control-problem">
            {problem || refusal}
          </p>
        )}
      </header>
      <div class="frames">
        <Framed title={demoTexts.dealerFrame} address={consoleAddress("dealer", { table: link.table, token: link.dealer })} />
        <Framed
          title={demoTexts.supervisorFrame}
          address={consoleAddress("supervisor", { table: link.table, token: link.supervisor })}
        />
      </div>
      {state ? <Controls state={state} act={act} /> : <p class="waiting">{problem ? "" : demoTexts.waiting}</p>}
    </main>
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
          <button type="button" data-testid="new-shoe" onClick={() => act("/new-shoe")}>
            {demoTexts.newShoe}
          </button>
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
                  <FaultButton key={fault.name} fault={fault} act={act} />
                ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

function FaultButton({ fault, act }: { fault: Fault; act: Act }) {
  return (
    <button
      type="button"
      class="fault"
      data-testid={`fault-${fault.name}`}
      aria-pressed={fault.active}
      onClick={() => act(`/faults/${fault.name}`, { active: !fault.active })}
    >
      <span class="fault-name">
        {words(fault.name.replaceAll("_", "-"))}
        {fault.active && <b>{demoTexts.active}</b>}
      </span>
      <span class="fault-caption">{fault.caption}</span>
    </button>
  );
}
