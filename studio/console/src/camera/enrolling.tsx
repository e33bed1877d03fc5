// The enrolment of the deck in use: the card that is due, large, and one button that takes it.

import { useEffect, useState } from "preact/hooks";
import type { TableApi } from "../shared/api";
import { Card } from "../shared/cards";
import { Said, type Word } from "./said";
import { cameraTexts } from "./texts";

const PICTURES = 54;
// To learn a deck takes some seconds; the camera's process is given a minute.
const WITHIN_MS = 65_000;
const NOTHING: Record<string, string> = { back: cameraTexts.back, empty: cameraTexts.empty, "": cameraTexts.all };

interface Enrolment {
  problem: string;
  taken: number;
  due: string;
}

type Step = "begin" | "take" | "finish";

export function Enrolling({ api }: { api: TableApi }) {
  // `null` where no enrolment is under way.
  const [at, setAt] = useState<Enrolment | null>(null);
  const [said, setSaid] = useState<Word | null>(null);
  const [busy, setBusy] = useState<Step | null>(null);
  const [isAsked, setAsked] = useState(false);

  useEffect(() => {
    // A page that was loaded again goes on where the camera is.
    void api.get("camera/enrolment").then((found) => {
      if (found === null || !isUnderWay(found as unknown as Enrolment)) return;
      setAt(found as unknown as Enrolment);
      setSaid({ good: true, text: cameraTexts.goesOn });
    });
  }, [api]);

  const go = (step: Step): void => {
    setBusy(step);
    setAsked(false);
    void api.post("camera/enrolment", { step, due: at?.due ?? "" }, WITHIN_MS).then((answer) => {
      setBusy(null);
      if (!answer.ok) {
        setSaid({ good: false, text: answer.refusal.text });
        return;
      }
      const found = answer.body as unknown as Enrolment;
      const isDone = step === "finish" && found.problem === "";
      setAt(isUnderWay(found) ? found : null);
      if (found.problem !== "") setSaid({ good: false, text: found.problem });
      else setSaid(isDone ? { good: true, text: cameraTexts.enrolled } : null);
    });
  };

  const step: Step = at === null ? "begin" : at.due === "" ? "finish" : "take";
  return (
    <section class="task enrolment" aria-label={cameraTexts.enrol}>
      <h2>{cameraTexts.enrol}</h2>
      {at === null ? <p class="advice">{cameraTexts.enrolSteps}</p> : <Progress at={at} />}
      {/* One button throughout, never disabled, so that it keeps its place and the focus. */}
      <button
        type="button"
        class="first wide"
        data-testid={`enrol-${step}`}
        aria-disabled={busy !== null}
        onClick={() => busy === null && go(step)}
      >
        {busy === "finish" ? cameraTexts.learning : cameraTexts[step]}
      </button>
      <Said word={said} testid="enrolment-said" />
      {at !== null && (
        <button
          type="button"
          class={isAsked ? "anew asked" : "anew"}
          data-testid="enrol-anew"
          disabled={busy !== null}
          onClick={() => (isAsked ? go("begin") : setAsked(true))}
          onBlur={() => setAsked(false)}
        >
          {isAsked ? cameraTexts.sure(at.taken) : cameraTexts.anew}
        </button>
      )}
    </section>
  );
}

function Progress({ at }: { at: Enrolment }) {
  return (
    <div class="progress">
      <progress class="pass" max={PICTURES} value={at.taken} aria-label={cameraTexts.enrol} />
      <p class="advice count" data-testid="taken">
        {cameraTexts.taken(at.taken, PICTURES)}
      </p>
      <div class="next" role="status" data-testid="due" data-due={at.due}>
        <Due due={at.due} />
      </div>
    </div>
  );
}

function Due({ due }: { due: string }) {
  const words = NOTHING[due];
  if (due === "back") return <><Card code="back" size="medium" /><b>{words}</b></>;
  if (words !== undefined) return <b>{words}</b>;
  return <><Card code={due} size="medium" /><b>{cameraTexts.lay}</b></>;
}

function isUnderWay(found: Enrolment): boolean {
  return found.taken > 0 || found.due !== "";
}
