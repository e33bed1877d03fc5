// Many alarms at once: repeats folded to one row, and what a flood probably comes from (consoles.md S3). Pure views of
// what the server tells; nothing is acknowledged or left out by them.

import type { ServerClock } from "../shared/clock";
import type { IncidentView, RaisedView } from "../shared/types";

const FLOOD_SECONDS = 600;
const FLOOD_MORE_THAN = 10;
const FOLD_NS = 60e9;
const FOLD_FROM = 3;

export interface Flood {
  alarms: number;
  /** From each probable cause so many, the most first. */
  sources: [string, number][];
}

/** Say whether alarms flood the table: more than ten in ten minutes. */
export function floodOf(raised: RaisedView[], clock: ServerClock): Flood | null {
  const recent = raised.filter((one) => (clock.secondsSince(one.at_wall_ns) ?? 0) < FLOOD_SECONDS);
  if (recent.length <= FLOOD_MORE_THAN) return null;
  const counts = new Map<string, number>();
  for (const { source } of recent) counts.set(source, (counts.get(source) ?? 0) + 1);
  return { alarms: recent.length, sources: [...counts].sort(([, one], [, other]) => other - one) };
}

/** Fold the incidents, in their order, to rows: three or more of a kind within a minute are one row, oldest first. */
export function folded(incidents: IncidentView[]): IncidentView[][] {
  const rows: IncidentView[][] = [];
  for (const incident of incidents) {
    if (rows.some((row) => row.includes(incident))) continue;
    const alike = incidents.filter((one) => one.kind === incident.kind && one.level === incident.level);
    const run = runWith(incident, alike);
    rows.push(run.length >= FOLD_FROM ? run : [incident]);
  }
  return rows;
}

/** The run of alarms that an alarm stands in: each within the minute that begins with the run's first. */
function runWith(incident: IncidentView, alike: IncidentView[]): IncidentView[] {
  const ordered = [...alike].sort((one, other) => one.since_wall_ns - other.since_wall_ns);
  let run: IncidentView[] = [];
  for (const one of ordered) {
    const first = run[0];
    if (first !== undefined && one.since_wall_ns - first.since_wall_ns > FOLD_NS) {
      if (run.includes(incident)) return run;
      run = [];
    }
    run.push(one);
  }
  return run;
}
