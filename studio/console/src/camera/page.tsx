// The guided page of a table's camera: its live picture, the calibration by four corners, the pass over the deck.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { getDocument, getPicture, TableApi } from "../shared/api";
import type { Link } from "../shared/link";
import { cameraTexts } from "./texts";

const POLL_MS = 500;
const CORNERS = 4;
const PICTURES = 54;

type Point = [number, number];

interface State {
  link: string;
  reason: string;
}

export function CameraPage({ link }: { link: Link }) {
  const api = useMemo(() => new TableApi(link.table, link.token, cameraTexts.noAnswer), [link]);
  const [picture, setPicture] = useState<string | null>(null);
  const [state, setState] = useState<State | null>(null);
  const [corners, setCorners] = useState<Point[]>([]);
  useEffect(() => {
    const path = `/v1/tables/${encodeURIComponent(link.table)}/camera`;
    const look = (): void => {
      void getPicture(`${path}/picture`, link.token).then(setPicture);
      void getDocument<State>(path, link.token).then(setState);
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [link]);
  const click = (point: Point): void => setCorners((before) => (before.length < CORNERS ? [...before, point] : before));
  return (
    <main class="camera-main">
      <h1>
        {cameraTexts.title} <span class="quiet">{link.table}</span>
      </h1>
      <p role="status" class={state?.link === "ready" ? "" : "refusal"} data-testid="camera-state">
        {state === null ? cameraTexts.noAnswer : state.reason || cameraTexts.good}
      </p>
      <Live picture={picture} corners={corners} click={click} />
      <div class="camera-tasks">
        <Calibrating api={api} corners={corners} clear={() => setCorners([])} />
        <Enrolling api={api} />
      </div>
    </main>
  );
}

/** The live picture; a click is a point of it in the camera's own pixels. */
function Live({ picture, corners, click }: { picture: string | null; corners: Point[]; click: (point: Point) => void }) {
  const image = useRef<HTMLImageElement>(null);
  if (picture === null) return <p class="waiting">{cameraTexts.noPicture}</p>;
  const size = image.current ?? { naturalWidth: 1, naturalHeight: 1 };
  const onClick = (event: MouseEvent): void => {
    const shown = image.current;
    if (shown === null) return;
    const box = shown.getBoundingClientRect();
    const scale = shown.naturalWidth / box.width;
    click([(event.clientX - box.left) * scale, (event.clientY - box.top) * scale]);
  };
  return (
    <div class="live" onClick={onClick} data-testid="live">
      <img ref={image} src={picture} alt={cameraTexts.picture} />
      {corners.map(([x, y], index) => (
        <span
          key={index}
          class="corner"
          role="img"
          aria-label={cameraTexts.corner(index + 1)}
          style={{ left: `${(100 * x) / size.naturalWidth}%`, top: `${(100 * y) / size.naturalHeight}%` }}
        >
          {index + 1}
        </span>
      ))}
    </div>
  );
}

function Calibrating({ api, corners, clear }: { api: TableApi; corners: Point[]; clear: () => void }) {
  const [said, setSaid] = useState("");
  const calibrate = (): void => {
    void api.post("camera/calibration", { corners }).then((answer) => {
      setSaid(answer.ok ? String(answer.body.problem) || cameraTexts.calibrated : answer.refusal.text);
      clear();
    });
  };
  return (
    <section aria-label={cameraTexts.calibrate}>
      <h2>{cameraTexts.calibrate}</h2>
      <ol>
        {cameraTexts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p data-testid="corners">{cameraTexts.clicked(corners.length)}</p>
      <div class="row">
        <button type="button" data-testid="start-over" onClick={clear}>
          {cameraTexts.again}
        </button>
        <button type="button" data-testid="calibrate" disabled={corners.length < CORNERS} onClick={calibrate}>
          {cameraTexts.calibrate}
        </button>
      </div>
      <p role="status" data-testid="calibration-said">
        {said}
      </p>
    </section>
  );
}

interface Enrolment {
  problem: string;
  taken: number;
  due: string;
}

const DUE: Record<string, string> = { back: cameraTexts.back, empty: cameraTexts.empty, "": cameraTexts.all };

function Enrolling({ api }: { api: TableApi }) {
  const [at, setAt] = useState<Enrolment | null>(null);
  const [said, setSaid] = useState("");
  const go = (step: "begin" | "take" | "finish"): void => {
    void api.post("camera/enrolment", { step }).then((answer) => {
      if (!answer.ok) {
        setSaid(answer.refusal.text);
        return;
      }
      const found = answer.body as unknown as Enrolment;
      const isDone = step === "finish" && found.problem === "";
      setAt(isDone ? null : found);
      setSaid(isDone ? cameraTexts.enrolled : found.problem);
    });
  };
  return (
    <section aria-label={cameraTexts.enrol}>
      <h2>{cameraTexts.enrol}</h2>
      <p>{cameraTexts.enrolSteps}</p>
      {at !== null && (
        <>
          <progress max={PICTURES} value={at.taken} />
          <p data-testid="taken">{cameraTexts.taken(at.taken, PICTURES)}</p>
          <p data-testid="due">
            {cameraTexts.next} <b>{DUE[at.due] ?? at.due}</b>
          </p>
        </>
      )}
      <div class="row">
        <button type="button" data-testid="enrol-begin" onClick={() => go("begin")}>
          {cameraTexts.begin}
        </button>
        <button type="button" data-testid="enrol-take" disabled={at === null || at.due === ""} onClick={() => go("take")}>
          {cameraTexts.take}
        </button>
        <button type="button" data-testid="enrol-finish" disabled={at === null || at.due !== ""} onClick={() => go("finish")}>
          {cameraTexts.finish}
        </button>
      </div>
      <p role="status" data-testid="enrolment-said">
        {said}
      </p>
    </section>
  );
}
