// The views of studio/domain/correction_views.py as JSON, and the changes that a correction is made of.

/** One change of a correction: the draw is another card, lies in no hand, or lies elsewhere; or a seat leaves. */
export type Change =
  | { change: "card-value"; draw: number; card: string }
  | { change: "out-of-play"; draw: number }
  | { change: "placed"; draw: number; seat: number; hand: number }
  | { change: "dead-hand"; seat: number };

export interface HandBeside {
  cards: string[];
  total: string;
  stake: number;
  state: string;
}

/** One hand of a seat, the dealer's where `seat` is 0. */
export interface HandPreview {
  seat: number;
  hand: number;
  player: string;
  before: HandBeside | null;
  after: HandBeside | null;
  changed: boolean;
}

/** `back` is what comes back of the stake, `null` while that is not known. */
export interface MoneyPreview {
  player: string;
  seat: number;
  kind: string;
  staked_before: number;
  staked_after: number;
  back_before: number | null;
  back_after: number | null;
}

export interface MessageView {
  key: string;
  parameters: Record<string, string>;
}

export interface Preview {
  lawful: boolean;
  code: string;
  text: string;
  needs_second: boolean;
  hands: HandPreview[];
  money: MoneyPreview[];
  staked_before: number;
  staked_after: number;
  refund_total: number;
  phase_before: string;
  phase_after: string;
  next_step: string;
  message: MessageView | null;
}

/** A card of the round; `place` is `seat3.hand1`, `dealer`, `held` or `unread`. */
export interface DrawView {
  draw: number;
  card: string;
  place: string;
  seat: number;
  hand: number;
  mark: string;
}

/** `raw` are bytes in hex, `sealed` while they would tell a hidden card, empty where the source has none. */
export interface ReadingView {
  draw: number | null;
  what: string;
  card: string;
  raw: string;
  at_wall_ns: number;
  /** The frame in which the camera saw the card; empty where it did not. */
  still: string;
}

export interface FeltScanView {
  incident: number;
  expected: number;
  read: number;
  due: number | null;
  differing: number[];
}

export interface ProposalView {
  number: number;
  kind: string;
  words: string;
  reason: string;
  text: string;
  by: string;
  name: string;
  approved_by: string;
  expires_wall_ns: number;
  draw: number;
}

export interface ClaimView {
  incident: number;
  owner: string;
  owner_name: string;
  offered_to: string;
  absent_stage: number;
  absent_wall_ns: number | null;
}

export interface PresenceView {
  person: string;
  name: string;
  correcting: number | null;
}

export interface RulingsView {
  draws: DrawView[];
  scan: FeltScanView | null;
  proposals: ProposalView[];
  claims: ClaimView[];
  present: PresenceView[];
}
