// The demo's camera: its picture beside the reader's cards, in the place of a fourth screen; below, a switch for each
// thing that goes wrong.

import { useEffect, useMemo, useState } from "preact/hooks";
import { getDocument, getPicture } from "../shared/api";
import { Card } from "../shared/cards";
import { demoTexts } from "../shared/catalog";
import { Columns } from "../shared/columns";
import { placeName } from "../shared/place";
import type { ReadingView } from "../shared/rulings";
import { FaultButton } from "./button";
import { Control, type CameraFault, type DemoTable } from "./control";

const POLL_MS = 1000;
const SHOWN = 10;

interface CameraState {
  link: string;
  reason: string;
}

export function CameraPanel({ table, supervisor }: { table: DemoTable; supervisor: string }) {
  const [picture, setPicture] = useState<string | null>(null);
  const [readings, setReadings] = useState<ReadingView[]>([]);
  const [state, setState] = useState<CameraState | null>(null);
  useEffect(() => {
    const path = `/v1/tables/${encodeURIComponent(table.id)}`;
    const look = (): void => {
      void getPicture(`${path}/camera/picture`, supervisor).then(setPicture);
      void getDocument<ReadingView[]>(`${path}/readings`, supervisor).then((read) => setReadings(read ?? []));
      void getDocument<CameraState>(`${path}/camera`, supervisor).then(setState);
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [table, supervisor]);
  const isGood = state?.link === "ready";
  return (
    <section class="camera" aria-label={demoTexts.camera} data-testid="camera">
      <header class="camera-head">
        <h2>{demoTexts.camera}</h2>
        <p role="status" class={isGood || state === null ? "" : "down"} data-testid="camera-reason">
          {state === null ? demoTexts.noPicture : state.reason || demoTexts.cameraReads}
        </p>
      </header>
      <div class="camera-row">
        <figure>
          {picture === null ? (
            <p class="waiting">{demoTexts.noPicture}</p>
          ) : (
            <img src={picture} alt={demoTexts.cameraPicture} data-testid="camera-picture" />
          )}
          <figcaption>
            {Object.entries(demoTexts.outlines).map(([name, meaning]) => (
              <span key={name} class={`outline ${name}`}>
                {meaning}
              </span>
            ))}
          </figcaption>
        </figure>
        <Readings readings={readings} />
      </div>
    </section>
  );
}

/** What the reader read, and whether the camera saw the same card: by shape and word. */
function Readings({ readings }: { readings: ReadingView[] }) {
  return (
    <table class="camera-readings" data-testid="camera-readings">
      <Columns names={demoTexts.readingColumns} />
      <tbody>
        {readings.slice(0, SHOWN).map((reading) => (
          <tr key={`${reading.draw}-${reading.at_wall_ns}`}>
            <td>{placeName(reading.what)}</td>
            <td>{reading.card !== "" && <Card code={reading.card} size="tiny" />}</td>
            <td class={reading.still === "" ? "" : "seen"}>{reading.still === "" ? demoTexts.notSeen : demoTexts.seen}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What can go wrong before the camera's lens, and by the dealer's hand under it. */
export function CameraFaults({ address, token }: { address: string; token: string }) {
  const control = useMemo(() => new Control(address, token), [address, token]);
  const [faults, setFaults] = useState<CameraFault[]>([]);
  useEffect(() => {
    const look = (): void => void control.cameraFaults().then(setFaults, () => setFaults([]));
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [control]);
  const press = (fault: CameraFault): void => {
    void control.switchCamera(fault.name, !fault.active).then(setFaults, () => undefined);
  };
  return (
    <div class="faults camera-faults">
      {Object.entries(demoTexts.cameraKinds).map(([kind, heading]) => (
        <section key={kind}>
          <h2>{heading}</h2>
          <div class="fault-grid">
            {faults
              .filter((fault) => fault.kind === kind)
              .map((fault) => (
                <FaultButton key={fault.name} fault={fault} testid={`camera-fault-${fault.name}`} press={() => press(fault)} />
              ))}
          </div>
        </section>
      ))}
    </div>
  );
}
