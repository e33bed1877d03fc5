// Step 1: what happened, in words and in the bytes of the reader, and the ways out that are lawful now.

import { useEffect, useState } from "preact/hooks";
import { getDocument, getPicture } from "../shared/api";
import { Columns } from "../shared/columns";
import type { Link } from "../shared/link";
import { placeName } from "../shared/place";
import type { ReadingView } from "../shared/rulings";
import type { IncidentView } from "../shared/types";
import { cardName } from "./pickers";
import { listTexts, wayTexts, wizardTexts } from "./texts";

const SHOWN = 5;

interface HappenedProps {
  link: Link;
  incident: IncidentView;
  sequence: number;
  live: boolean;
  /** Who holds it, where that is somebody else. */
  heldBy: string;
  choose: (way: string) => void;
}

export function Happened({ link, incident, sequence, live, heldBy, choose }: HappenedProps) {
  const readings = useReadings(link, sequence);
  const still = readings.find((one) => one.draw !== null && one.draw === incident.draw)?.still ?? "";
  return (
    <div class="happened">
      <section class="facts-of" aria-label={wizardTexts.happened}>
        <div class="facts-words">
          <p class="detail-words">{incident.detail}</p>
          <p>
            <span class="fact-label">{wizardTexts.todo}</span> {incident.next_step}
            {incident.otherwise !== "" && <span class="detail"> {listTexts.otherwise(incident.otherwise)}</span>}
          </p>
          {still !== "" && <Still link={link} frame={still} testid="still-about" />}
        </div>
        <Readings link={link} readings={readings} about={incident.draw} />
      </section>
      <section class="ways" aria-label={wizardTexts.ways}>
        <h3>{wizardTexts.ways}</h3>
        {heldBy !== "" && (
          <p class="refusal" data-testid="held-by">
            {wizardTexts.heldBy(heldBy)}
          </p>
        )}
        {incident.ways_out.length === 0 && <p class="hint">{wizardTexts.noWays}</p>}
        <div class="way-tiles">
          {incident.ways_out.map((way) => (
          <button key={way} type="button" class={way === "void" ? "harm" : ""} data-testid={`way-${way}`} disabled={!live || heldBy !== ""} onClick={() => choose(way)}>
            <b>{wayTexts[way]?.label ?? way}</b>
            <span>{wayTexts[way]?.does}</span>
          </button>
          ))}
        </div>
      </section>
    </div>
  );
}

/** The last readings, read again whenever the table has moved. */
function useReadings(link: Link, sequence: number): ReadingView[] {
  const [readings, setReadings] = useState<ReadingView[]>([]);
  useEffect(() => {
    let wanted = true;
    void getDocument<ReadingView[]>(`/v1/tables/${encodeURIComponent(link.table)}/readings`, link.token).then((read) => {
      if (wanted && read !== null) setReadings(read);
    });
    return () => {
      wanted = false;
    };
  }, [link, sequence]);
  return readings;
}

function Readings({ link, readings, about }: { link: Link; readings: ReadingView[]; about: number | null }) {
  if (readings.length === 0) return <p class="hint">{wizardTexts.noReadings}</p>;
  return (
    <table class="readings" data-testid="readings">
      <caption>{wizardTexts.readings}</caption>
      <Columns names={wizardTexts.readingColumns} />
      <tbody>
        {readings.slice(0, SHOWN).map((reading, index) => (
          <tr key={`${reading.at_wall_ns}-${index}`} class={reading.draw !== null && reading.draw === about ? "changed" : ""}>
            <td>{reading.draw ?? ""}</td>
            <td>{placeName(reading.what)}</td>
            <td>{reading.card === "" ? "–" : cardName(reading.card)}</td>
            <td>{new Date(reading.at_wall_ns / 1e6).toTimeString().slice(0, 8)}</td>
            <td>
              <Still link={link} frame={reading.still} />
            </td>
            <td>{reading.raw === "sealed" ? <span class="quiet">{wizardTexts.sealed}</span> : <code>{reading.raw || wizardTexts.noBytes}</code>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the camera saw of the card, beside the reader's bytes; a hidden card's still stays closed. */
function Still({ link, frame, testid = "still" }: { link: Link; frame: string; testid?: string }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    setAddress(null);
    if (frame === "") return undefined;
    void getPicture(`/v1/tables/${encodeURIComponent(link.table)}/stills/${encodeURIComponent(frame)}`, link.token).then((read) => {
      if (wanted) setAddress(read);
    });
    return () => {
      wanted = false;
    };
  }, [link, frame]);
  if (address === null) return <span class="quiet">{wizardTexts.noStill}</span>;
  return <img class="still" src={address} alt={wizardTexts.still} data-testid={testid} />;
}
