// A decision in the making: a reason, words, and the confirmation. It is sent with the sequence it was decided on;
// when the table has moved, what changed is shown and what was typed stays (consoles.md S6, S7).

import { useState } from "preact/hooks";
import type { Intent } from "../shared/api";
import { common, supervisorTexts } from "../shared/catalog";
import { amount, words } from "../shared/format";
import type { Commands } from "../shared/live";
import type { Frame, SupervisorView } from "../shared/types";
import { HoldButton } from "./hold";
import { wayLabel } from "./incidents";

export interface Decision {
  way: string;
  /** The incident's number; `null` for voiding the round without one. */
  incident: number | null;
  seenSequence: number;
}

interface FormProps {
  decision: Decision;
  frame: Frame<SupervisorView>;
  live: boolean;
  commands: Commands;
  close: () => void;
}

export function DecisionForm({ decision, frame, live, commands, close }: FormProps) {
  const [reason, setReason] = useState("procedure");
  const [text, setText] = useState("");
  const [seen, setSeen] = useState(decision.seenSequence);
  const { pending, refusal } = commands;
  const isVoid = decision.way === "void";
  const incident = frame.view.incidents.find((open) => open.number === decision.incident);
  const possible = decision.incident === null ? frame.view.can_void : incident?.ways_out.includes(decision.way) === true;
  // After a refusal for a stale view, only what has reached this screen can be decided on.
  const ready = live && possible && pending === "" && frame.sequence >= seen;

  const confirm = async (): Promise<void> => {
    const answer = await commands.send("confirm", intent(decision, reason, text, seen));
    if (answer === null) return;
    if (answer.ok) close();
    else if (answer.refusal.code === "stale-view") setSeen(answer.refusal.sequence ?? frame.sequence);
  };

  return (
    <section class={`decision ${isVoid ? "voiding" : ""}`} data-testid="decision">
      <h2>
        {wayLabel(decision.way)}
        {incident && <span class="about"> · {incident.cause}</span>}
      </h2>
      <div class="decision-fields">
        {isVoid && (
          <div class="refund-list">
            <Refunds view={frame.view} />
          </div>
        )}
        <div class="words">
          <label>
            <span class="fact-label">{supervisorTexts.reason}</span>
            <select value={reason} data-testid="reason" onChange={(event) => setReason(event.currentTarget.value)}>
              {Object.entries(supervisorTexts.reasons).map(([code, label]) => (
                <option key={code} value={code}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span class="fact-label">{supervisorTexts.text}</span>
            <input
              type="text"
              value={text}
              maxLength={500}
              placeholder={supervisorTexts.textHint}
              data-testid="text"
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
        </div>
      </div>
      {refusal && (
        <div class="refusal" role="alert" data-testid="refusal">
          <b>{refusal.code === "stale-view" ? supervisorTexts.moved : `${supervisorTexts.refused}.`}</b>{" "}
          {refusal.code === "stale-view" ? (
            <>
              <span data-testid="changed">{refusal.changed.map(words).join(", ")}</span>
              <p>{supervisorTexts.movedNext}</p>
            </>
          ) : (
            refusal.text
          )}
        </div>
      )}
      <div class="decision-end">
        <button type="button" data-testid="cancel" onClick={close}>
          {supervisorTexts.cancel}
        </button>
        {isVoid ? (
          <HoldButton testid="hold-void" disabled={!ready} pending={pending === "confirm"} done={() => void confirm()} />
        ) : (
          <button type="button" class="confirm" data-testid="confirm" data-pending={pending === "confirm"} disabled={!ready} onClick={() => void confirm()}>
            {supervisorTexts.confirm(wayLabel(decision.way))}
          </button>
        )}
      </div>
    </section>
  );
}

function intent(decision: Decision, reason: string, text: string, seenSequence: number): Intent {
  if (decision.incident === null) {
    return { command: "void-round", arguments: { reason, text }, seenSequence };
  }
  const { incident, way } = decision;
  return { command: "resolve-incident", arguments: { incident, way_out: way, reason, text }, seenSequence };
}

/** What would go back, bet by bet, and its total. */
function Refunds({ view }: { view: SupervisorView }) {
  return (
    <table class="refunds" data-testid="refunds" aria-label={supervisorTexts.refunds}>
      <thead>
        <tr>
          <th>{supervisorTexts.refunds}</th>
          <th>{supervisorTexts.kind}</th>
          <th class="number">{supervisorTexts.amount}</th>
        </tr>
      </thead>
      <tbody>
        {view.refunds.map((refund, index) => (
          <tr key={index}>
            <td>
              {common.seat(refund.seat)} · {refund.player}
            </td>
            <td>{words(refund.kind)}</td>
            <td class="number">{amount(refund.amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={2}>{supervisorTexts.refundTotal}</td>
          <td class="number" data-testid="refund-total">
            {amount(view.refund_total)} {view.dealer.table.currency}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
