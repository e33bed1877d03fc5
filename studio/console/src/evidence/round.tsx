// One round, step by step: a slider, buttons and keys move through its events; three tabs show each of them as the
// dealer saw it, as the players saw it, and as it was recorded (consoles.md S10).

import { useEffect, useRef, useState } from "preact/hooks";
import { signed } from "../shared/format";
import { DealerScreen, Mark, PlayersScreen } from "./felt";
import { moment, useTexts } from "./language";
import type { Replay, ReplayStep } from "./types";

const VIEWS = ["dealer", "players", "recorded"] as const;

type View = (typeof VIEWS)[number];

interface StageProps {
  replay: Replay | null;
  tableName: string;
  waiting: boolean;
  failed: string;
}

export function RoundStage({ replay, tableName, waiting, failed }: StageProps) {
  const texts = useTexts();
  if (replay === null) {
    return (
      <section class="stage empty" aria-label={texts.chooseRound}>
        <p role={failed ? "alert" : "status"} data-testid="stage-note">
          {failed || (waiting ? texts.reading : texts.chooseRound)}
        </p>
      </section>
    );
  }
  return <Round replay={replay} tableName={tableName} />;
}

function Round({ replay, tableName }: { replay: Replay; tableName: string }) {
  const texts = useTexts();
  const [place, setPlace] = useState(0);
  const [view, setView] = useState<View>("dealer");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const last = replay.steps.length - 1;
  const at = Math.min(place, last);
  const step = replay.steps[at];
  const go = (to: number): void => setPlace(Math.max(0, Math.min(last, to)));
  return (
    <section class="stage" aria-label={texts.round(replay.round)} data-testid="stage">
      <header class="round-head">
        <h2 tabIndex={-1} ref={heading} data-testid="round-title">
          {texts.round(replay.round)} · {tableName}
        </h2>
        <span class={replay.ended === "settled" ? "quiet" : "unusual"}>{texts.ended[replay.ended] ?? replay.ended}</span>
        <span class="quiet">{moment(texts, replay.at_wall_ns)}</span>
      </header>
      <Tabs view={view} show={setView} />
      {step && (
        <div class="view" role="tabpanel" id="view" aria-labelledby={`tab-${view}`} data-testid="view">
          {view === "dealer" && <DealerScreen view={step.dealer} />}
          {view === "players" && <PlayersScreen view={step.players} />}
          {view === "recorded" && <Recorded step={step} />}
        </div>
      )}
      {step && (
        <footer class="stepper">
          <p class="step-line" role="status" data-testid="step-line">
            <b>{texts.eventName(step.name)}</b> <span>{moment(texts, step.at_wall_ns, true)}</span>{" "}
            <span class="quiet">{texts.by(step.by.name, step.by.role)}</span>
            <span class="quiet step-count" data-testid="step-count">
              {texts.step(at + 1, last + 1)} · #{step.sequence}
            </span>
          </p>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-label={texts.slider}
            aria-valuetext={`${texts.step(at + 1, last + 1)}: ${texts.eventName(step.name)}`}
            data-testid="slider"
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
          <div class="step-buttons">
            <button type="button" data-testid="first" disabled={at === 0} onClick={() => go(0)}>
              {texts.first}
            </button>
            <button type="button" data-testid="previous" aria-disabled={at === 0} onClick={() => go(at - 1)}>
              {texts.previous}
            </button>
            <button type="button" data-testid="next" aria-disabled={at === last} onClick={() => go(at + 1)}>
              {texts.next}
            </button>
            <button type="button" data-testid="last" disabled={at === last} onClick={() => go(last)}>
              {texts.last}
            </button>
          </div>
        </footer>
      )}
    </section>
  );
}

function Tabs({ view, show }: { view: View; show: (view: View) => void }) {
  const texts = useTexts();
  const tabs = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length] ?? "dealer";
    show(next);
    tabs.current?.querySelector<HTMLButtonElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" ref={tabs} onKeyDown={onKeyDown}>
      {VIEWS.map((name) => (
        <button key={name} type="button" role="tab" id={`tab-${name}`} data-testid={`tab-${name}`} aria-controls="view" aria-selected={view === name} tabIndex={view === name ? 0 : -1} onClick={() => show(name)}>
          {texts.views[name]}
        </button>
      ))}
    </div>
  );
}

/** The event as the journal has it. */
function Recorded({ step }: { step: ReplayStep }) {
  const texts = useTexts();
  const { recorded } = step;
  return (
    <div class="recorded" data-testid="recorded">
      <h3>
        <code>
          {step.name} {recorded.version}
        </code>{" "}
        <Mark mark={recorded.mark} />
      </h3>
      <dl>
        {Object.entries(recorded.fields).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={value === "sealed" ? "quiet" : ""}>{value === "sealed" ? texts.sealed : shown(value)}</dd>
          </div>
        ))}
        <div>
          <dt>{texts.raw}</dt>
          <dd>
            <code>{recorded.raw === "sealed" ? texts.sealed : recorded.raw || texts.noRaw}</code>
          </dd>
        </div>
        <div>
          <dt>{texts.cause}</dt>
          <dd>
            <code>{recorded.cause}</code>
          </dd>
        </div>
        <div>
          <dt>{texts.chain}</dt>
          <dd>
            <code>{recorded.chain}</code>
          </dd>
        </div>
      </dl>
      <h3>{texts.money}</h3>
      {recorded.moves.length === 0 ? (
        <p class="quiet">{texts.noMoney}</p>
      ) : (
        <table class="moves">
          <tbody>
            {recorded.moves.map((move, index) => (
              <tr key={index}>
                <td>{move.accounts > 1 ? texts.manyPlayers(move.accounts) : move.account}</td>
                <td class="quiet">{move.cause}</td>
                <td class="number">
                  {signed(move.amount)} {move.currency}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function shown(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
