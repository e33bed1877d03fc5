// The guided page of a table's camera: its live picture, the calibration by four corners, the pass over the deck.

import { useEffect, useMemo, useState } from "preact/hooks";
import { getAnswer, getPicture, TableApi } from "../shared/api";
import type { Link } from "../shared/link";
import { Calibrating } from "./calibrating";
import { Enrolling } from "./enrolling";
import { CORNERS, Live, type Point } from "./live";
import { cameraTexts } from "./texts";

const POLL_MS = 500;

interface State {
  /** How it is: read well, down, refused to this person, or nothing known. */
  tone: "good" | "down" | "refused" | "silent";
  words: string;
}

const SILENT: State = { tone: "silent", words: cameraTexts.waiting };

export function CameraPage({ link }: { link: Link }) {
  const api = useMemo(() => new TableApi(link.table, link.token, cameraTexts.noAnswer), [link]);
  const [picture, setPicture] = useState<string | null>(null);
  const [state, setState] = useState<State>(SILENT);
  const [corners, setCorners] = useState<Point[]>([]);
  const isRefused = state.tone === "refused";
  useEffect(() => {
    if (isRefused) return;
    const path = `/v1/tables/${encodeURIComponent(link.table)}/camera`;
    const look = (): void => {
      void getPicture(`${path}/picture`, link.token).then(setPicture);
      void stateOf(path, link.token).then(setState);
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [link, isRefused]);
  const set = (point: Point): void => setCorners((before) => (before.length < CORNERS ? [...before, point] : before));
  return (
    <main class="camera-main">
      <header class="camera-top">
        <h1>
          {cameraTexts.title} <span class="quiet">{link.table}</span>
        </h1>
        <p role="status" class={`camera-state ${state.tone}`} data-testid="camera-state" data-tone={state.tone}>
          <StateGlyph tone={state.tone} />
          {state.words}
        </p>
      </header>
      {!isRefused && (
        <div class="camera-work">
          <div class="camera-seen">
            <Live picture={picture} corners={corners} set={set} />
            <Calibrating
              api={api}
              corners={corners}
              undo={() => setCorners((before) => before.slice(0, -1))}
              clear={() => setCorners([])}
            />
          </div>
          <Enrolling api={api} />
        </div>
      )}
    </main>
  );
}

/** By shape too, as the consoles' connection: a filled dot, a hollow triangle, a cross. */
function StateGlyph({ tone }: { tone: State["tone"] }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      {tone === "good" && <circle cx="10" cy="10" r="6" />}
      {tone === "silent" && <circle cx="10" cy="10" r="6" fill="none" stroke="currentcolor" stroke-width="2.5" />}
      {tone === "down" && <path d="M10 3 18 17H2z" fill="none" stroke="currentcolor" stroke-width="2.5" />}
      {tone === "refused" && <path d="M4 4 16 16M16 4 4 16" fill="none" stroke="currentcolor" stroke-width="3" />}
    </svg>
  );
}

async function stateOf(path: string, token: string): Promise<State> {
  const answer = await getAnswer(path, token);
  if (answer === null) return { tone: "down", words: cameraTexts.noAnswer };
  if (!answer.ok) {
    const isFinal = [401, 403, 404].includes(answer.refusal.status);
    return { tone: isFinal ? "refused" : "down", words: answer.refusal.text };
  }
  const { link, reason } = answer.body as unknown as { link: string; reason: string };
  if (link === "ready") return { tone: "good", words: cameraTexts.good };
  return { tone: "down", words: cameraTexts.down(reason) };
}
