// What the evidence's endpoints answer: the forms of studio/ports/evidence.py and studio/evidence as JSON.

import type { DealerView, TableView } from "../shared/types";

export interface Span {
  table: string;
  round: number;
  first: number;
  end: number;
  at_wall_ns: number;
}

/** What a round has a record of; `number` is the incident's or dispute's, 0 for an act without one. */
export interface Noticed {
  sequence: number;
  kind: string;
  number: number;
}

export interface FoundRound {
  span: Span;
  ended: string;
  dealer: string;
  noticed: Noticed[];
}

export interface Found {
  rounds: FoundRound[];
  after: Record<string, number> | null;
}

export interface Person {
  id: string;
  name: string;
  role: string;
}

export interface Move {
  account: string;
  amount: number;
  currency: string;
  cause: string;
  accounts: number;
}

export interface RecordedFact {
  version: number;
  cause: string;
  fields: Record<string, unknown>;
  raw: string;
  /** How the card that it is about is known: empty, `manual`, `ruled`. */
  mark: string;
  chain: string;
  moves: Move[];
}

export interface ReplayStep {
  sequence: number;
  name: string;
  at_wall_ns: number;
  by: Person;
  dealer: DealerView;
  players: TableView;
  recorded: RecordedFact;
}

export interface Stake {
  player: string;
  staked: number;
  returned: number;
}

export interface Note {
  sequence: number;
  at_wall_ns: number;
  by: Person;
  text: string;
}

export interface Replay {
  table: string;
  round: number;
  at_wall_ns: number;
  ended: string;
  simulated: boolean;
  currency: string;
  players: Stake[];
  noticed: Noticed[];
  notes: Note[];
  steps: ReplayStep[];
}

/** Where a case begins and ends in the recorder's video: `HH:MM:SS:FF` in UTC, and the days. */
export interface VideoSpan {
  frames_per_second: number;
  first_day: string;
  first: string;
  last_day: string;
  last: string;
}

export interface RecordedEvent {
  sequence: number;
  timecode: string;
  name: string;
  by: Person;
}

/** A record as exported; only what the page shows of it. */
export interface RecordFile {
  sha256: string;
  pdf_sha256: string;
  record: {
    kind: string;
    number: number;
    classes: string[];
    happened: string;
    detail: string;
    opened_wall_ns: number;
    video: VideoSpan;
    events: RecordedEvent[];
    closed_wall_ns: number | null;
    way_out: string;
    reason: string;
    text: string;
    clauses: string[];
    actors: Person[];
    first: number;
    last: number;
    currency: string;
    players_delta: number;
    notes: Note[];
  };
}

export interface TableLine {
  table: string;
  name: string;
  simulated: boolean;
}

export interface Me {
  id: string;
  name: string;
  roles: string[];
}
