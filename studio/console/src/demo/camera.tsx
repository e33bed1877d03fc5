// The demo's camera: its picture with what it reads, the reader's cards beside it, and a switch for each thing that goes wrong.

import { useEffect, useMemo, useState } from "preact/hooks";
import { getDocument, getPicture } from "../shared/api";
import { demoTexts } from "../shared/catalog";
import { words } from "../shared/format";
import type { ReadingView } from "../shared/rulings";
import { Control, type CameraFault, type DemoTable } from "./control";

const POLL_MS = 1000;
const SHOWN = 8;

export function CameraPanel({ table, token, supervisor }: { table: DemoTable; token: string; supervisor: string }) {
  const control = useMemo(() => new Control(table.control ?? "", token), [table, token]);
  const [faults, setFaults] = useState<CameraFault[]>([]);
  const [picture, setPicture] = useState<string | null>(null);
  const [readings, setReadings] = useState<ReadingView[]>([]);
  const [reason, setReason] = useState("");
  useEffect(() => {
    const path = `/v1/tables/${encodeURIComponent(table.id)}`;
    const look = (): void => {
      void control.cameraFaults().then(setFaults, () => setFaults([]));
      void getPicture(`${path}/camera/picture`, supervisor).then(setPicture);
      void getDocument<ReadingView[]>(`${path}/readings`, supervisor).then((read) => setReadings(read ?? []));
      void getDocument<{ reason: string }>(`${path}/camera`, supervisor).then((read) => setReason(read?.reason ?? ""));
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [table, control, supervisor]);
  if (faults.length === 0) return null;
  const press = (fault: CameraFault): void => {
    void control.switchCamera(fault.name, !fault.active).then(setFaults, () => undefined);
  };
  return (
    <section class="camera" aria-label={demoTexts.camera} data-testid="camera">
      <h2>{demoTexts.camera}</h2>
      <div class="camera-row">
        <figure>
          {picture === null ? <p class="waiting">{demoTexts.noPicture}</p> : <img src={picture} alt={demoTexts.cameraPicture} data-testid="camera-picture" />}
          <figcaption role="status" data-testid="camera-reason">
            {reason || demoTexts.cameraReads}
          </figcaption>
        </figure>
        <table class="camera-readings" data-testid="camera-readings">
          <caption>{demoTexts.readerReads}</caption>
          <tbody>
            {readings.slice(0, SHOWN).map((reading) => (
              <tr key={`${reading.draw}-${reading.at_wall_ns}`}>
                <td>{reading.draw ?? ""}</td>
                <td>{reading.what}</td>
                <td>{reading.card}</td>
                <td>{reading.still === "" ? "" : demoTexts.seen}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="fault-grid">
        {faults.map((fault) => (
          <button key={fault.name} type="button" class="fault" aria-pressed={fault.active} data-testid={`camera-fault-${fault.name}`} onClick={() => press(fault)}>
            <span class="fault-name">
              {words(fault.name.replaceAll("_", "-"))}
              {fault.active && <b>{demoTexts.active}</b>}
            </span>
            <span class="fault-caption">{fault.caption}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
