// The last step: the preview, a reason and words, and the act. The preview is made anew whenever the table moves, and
// the act is sent with the sequence of the preview that was on the screen (consoles.md S5, S6, S7).

import { useEffect, useMemo, useState } from "preact/hooks";
import { TableApi, type Answer, type Intent } from "../shared/api";
import { common, supervisorTexts } from "../shared/catalog";
import { words } from "../shared/format";
import type { Link } from "../shared/link";
import type { Commands } from "../shared/live";
import type { Preview } from "../shared/rulings";
import type { Frame, SupervisorView } from "../shared/types";
import { HoldButton } from "./hold";
import { Outcome, PreviewTables } from "./preview";
import { reasons, wizardTexts } from "./texts";

interface Previewed {
  sequence: number;
  preview: Preview;
}

interface Previewing {
  shown: Previewed | null;
  failed: string;
  /** What happened since the preview before, `null` where nothing did. */
  moved: string[] | null;
  again: (changed: string[]) => void;
}

/** Ask what `intent` would do, and again whenever the table has moved past the answer. */
function usePreview(link: Link, intent: Intent, sequence: number, live: boolean): Previewing {
  const api = useMemo(() => new TableApi(link.table, link.token, common.noAnswer), [link.table, link.token]);
  const [shown, setShown] = useState<Previewed | null>(null);
  const [failed, setFailed] = useState("");
  const [moved, setMoved] = useState<string[] | null>(null);
  const [asked, setAsked] = useState(0);
  const about = JSON.stringify(intent);
  useEffect(() => {
    if (!live || (shown !== null && asked === 0 && shown.sequence >= sequence)) return;
    let wanted = true;
    if (shown !== null) setMoved((before) => before ?? []);
    void api.preview(intent).then((answer) => {
      if (!wanted) return;
      setAsked(0);
      setFailed(answer.ok ? "" : answer.refusal.text);
      if (answer.ok) setShown({ sequence: answer.sequence, preview: answer.body.preview as Preview });
    });
    return () => {
      wanted = false;
    };
  }, [about, sequence, asked, live]);
  const again = (changed: string[]): void => {
    setMoved(changed);
    setAsked((times) => times + 1);
  };
  return { shown, failed, moved, again };
}

export interface ActProps {
  link: Link;
  frame: Frame<SupervisorView>;
  live: boolean;
  commands: Commands;
  /** What is to be done; a reason and words are added where `words` says so. */
  intent: Intent;
  label: string;
  /** Whether a reason and words are asked for. */
  asksWords: boolean;
  /** Whether it must be held for 1.5 s. */
  harms: boolean;
  done: (answer: Answer) => void;
  back: () => void;
}

export function ActStep({ link, frame, live, commands, intent, label, asksWords, harms, done, back }: ActProps) {
  const [reason, setReason] = useState("");
  const [text, setText] = useState("");
  const said = asksWords ? { reason: "preview", text: "preview" } : {};
  const { shown, failed, moved, again } = usePreview(link, { ...intent, arguments: { ...intent.arguments, ...said } }, frame.sequence, live);
  const { pending, refusal } = commands;
  const worded = !asksWords || (reason !== "" && text.trim() !== "");
  const fresh = shown !== null && shown.sequence >= frame.sequence && frame.sequence >= shown.sequence;
  const ready = live && fresh && shown.preview.lawful && worded && pending === "";

  const act = async (): Promise<void> => {
    if (shown === null) return;
    const spoken = asksWords ? { reason, text } : {};
    const answer = await commands.send("confirm", { ...intent, arguments: { ...intent.arguments, ...spoken }, seenSequence: shown.sequence });
    if (answer === null) return;
    if (answer.ok) done(answer);
    else if (answer.refusal.code === "stale-view") again(answer.refusal.changed);
  };
  const second = shown?.preview.needs_second === true;
  return (
    <div class="act" data-testid="decision">
      {moved !== null && (
        <p class="refusal" role="alert" data-testid="moved">
          <b>{wizardTexts.moved}</b> <span data-testid="changed">{moved.map(words).join(", ")}</span> {wizardTexts.movedAgain}
        </p>
      )}
      {harms && !frame.view.dealer.table.stopped && <p class="refusal">{wizardTexts.stopFirst}</p>}
      {shown === null && <p class="hint" role="status">{failed || wizardTexts.previewing}</p>}
      {shown !== null && !shown.preview.lawful && (
        <p class="refusal" role="alert" data-testid="unlawful">
          <b>{wizardTexts.unlawful}.</b> {shown.preview.text}. {wizardTexts.unlawfulNext}
        </p>
      )}
      {shown !== null && (
        <>
          <PreviewTables preview={shown.preview} currency={frame.view.dealer.table.currency} />
          {shown.preview.lawful && <Outcome preview={shown.preview} />}
        </>
      )}
      {second && asksWords && (
        <p class="second" data-testid="needs-second">
          {wizardTexts.needsSecond}
        </p>
      )}
      {asksWords && (
        <div class="words">
          <label>
            <span class="fact-label">{wizardTexts.reason}</span>
            <select value={reason} required data-testid="reason" onChange={(event) => setReason(event.currentTarget.value)}>
              <option value="">{wizardTexts.chooseReason}</option>
              {Object.entries(reasons).map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="long">
            <span class="fact-label">{wizardTexts.text}</span>
            <input type="text" value={text} required maxLength={500} placeholder={wizardTexts.textHint} data-testid="text" onInput={(event) => setText(event.currentTarget.value)} />
          </label>
        </div>
      )}
      {refusal && refusal.code !== "stale-view" && (
        <p class="refusal" role="alert" data-testid="refusal">
          <b>{supervisorTexts.refused}.</b> {refusal.text}
        </p>
      )}
      <div class="act-end">
        <button type="button" data-testid="cancel" onClick={back}>
          {wizardTexts.back}
        </button>
        {!worded && <span class="hint">{wizardTexts.bothNeeded}</span>}
        {harms ? (
          <HoldButton
            testid="hold-void"
            label={asksWords ? wizardTexts.hold : wizardTexts.holdApprove}
            disabled={!ready}
            pending={pending === "confirm"}
            done={() => void act()}
          />
        ) : (
          <button type="button" class="confirm" data-testid="confirm" data-pending={pending === "confirm"} disabled={!ready} onClick={() => void act()}>
            {!asksWords ? wizardTexts.approve : second ? wizardTexts.propose(label) : wizardTexts.do(label)}
          </button>
        )}
      </div>
    </div>
  );
}
