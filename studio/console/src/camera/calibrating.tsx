// The calibration: which corner is due, and what came of it.

import { useState } from "preact/hooks";
import type { TableApi } from "../shared/api";
import { CORNERS, type Point } from "./live";
import { Said, type Word } from "./said";
import { cameraTexts } from "./texts";

const WITHIN_MS = 65_000;

interface CalibratingProps {
  api: TableApi;
  corners: Point[];
  undo: () => void;
  clear: () => void;
}

export function Calibrating({ api, corners, undo, clear }: CalibratingProps) {
  const [said, setSaid] = useState<Word | null>(null);
  const [isBusy, setBusy] = useState(false);
  const calibrate = (): void => {
    setBusy(true);
    void api.post("camera/calibration", { corners }, WITHIN_MS).then((answer) => {
      const problem = answer.ok ? String(answer.body.problem) : answer.refusal.text;
      setSaid(problem === "" ? { good: true, text: cameraTexts.calibrated } : { good: false, text: problem });
      setBusy(false);
      clear();
    });
  };
  const isWhole = corners.length === CORNERS;
  return (
    <section class="task calibration" aria-label={cameraTexts.calibrate}>
      <div class="words">
        <h2>{cameraTexts.calibrate}</h2>
        <p class="advice">{cameraTexts.calibrateSteps}</p>
        <p class="due" role="status" data-testid="corners">
          {isWhole ? cameraTexts.allCorners : cameraTexts.touch(cameraTexts.corners[corners.length] ?? "", corners.length + 1)}
        </p>
      </div>
      <div class="task-row">
        <button type="button" data-testid="corner-undo" disabled={corners.length === 0 || isBusy} onClick={undo}>
          {cameraTexts.undo}
        </button>
        <button type="button" class="first" data-testid="calibrate" disabled={!isWhole || isBusy} onClick={calibrate}>
          {isBusy ? cameraTexts.working : cameraTexts.calibrate}
        </button>
      </div>
      <Said word={corners.length === 0 ? said : null} testid="calibration-said" />
    </section>
  );
}
