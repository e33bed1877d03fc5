// The views of studio/domain/views.py as JSON: tuples are arrays, amounts minor units, times wall nanoseconds.

import type { Change, ProposalView, RulingsView } from "./rulings";
import type { ShoePageView } from "./shoe";

export interface HandView {
  number: number;
  cards: string[];
  total: string;
  stake: number;
  state: string;
  active: boolean;
  /** One a card: empty, `manual` or `ruled`; none at all where every card was read. */
  marks: string[];
}

export interface SeatView {
  seat: number;
  player: string;
  bet: number;
  insurance: number;
  target: boolean;
  hands: HandView[];
}

export interface DealerHandView {
  cards: string[];
  total: string;
  target: boolean;
  marks: string[];
}

export interface ShoeView {
  id: string;
  state: string;
  dealt: number;
  left: number;
  size: number;
}

export interface Instruction {
  code: string;
  words: string;
  seat: number | null;
}

export type Arguments = Record<string, string | number | Change[]>;

export interface Button {
  command: string;
  label: string;
  arguments: Arguments;
}

/** Until when an alarm is out of the way, by whom and why. */
export interface ShelfView {
  until_wall_ns: number;
  name: string;
  text: string;
}

export interface IncidentView {
  number: number;
  kind: string;
  level: string;
  cause: string;
  next_step: string;
  detail: string;
  tries: number;
  cleared: boolean;
  ways_out: string[];
  since_wall_ns: number;
  draw: number | null;
  /** What holds until a supervisor acts; empty for dealers. */
  otherwise: string;
  shelf: ShelfView | null;
}

export interface LastCardView {
  draw: number;
  card: string;
  place: string;
  mark: string;
}

export interface DealerOnDuty {
  name: string;
  licence_until: string;
  licence_valid: boolean;
  since_wall_ns: number;
}

export interface CallView {
  since_wall_ns: number;
  seen_by: string;
}

export interface ResultView {
  player: string;
  seat: number;
  hand: number;
  kind: string;
  stake: number;
  returned: number;
}

export interface TableView {
  table: string;
  name: string;
  variant: string;
  simulated: boolean;
  rule_line: string;
  rules_hash: string;
  profile: string;
  profile_hash: string;
  phase: string;
  round: number;
  stopped: boolean;
  suspended: boolean;
  deadline_wall_ns: number | null;
  currency: string;
  minimum: number;
  maximum: number;
  increment: number;
  shoe: ShoeView | null;
  seats: SeatView[];
  dealer_hand: DealerHandView;
  results: ResultView[];
}

/** A reader, second reader or camera of the table, as it is now. */
export interface DeviceView {
  device: string;
  role: string;
  link: string;
  reason: string;
  losses: number;
  errors: Record<string, number>;
}

export interface DealerView {
  table: TableView;
  on_duty: DealerOnDuty | null;
  instruction: Instruction;
  primary: Button | null;
  secondary: Button[];
  last_cards: LastCardView[];
  incidents: IncidentView[];
  call: CallView | null;
  reader_ready: boolean;
  reader_reason: string;
  entering: ProposalView[];
  /** Until when the camera's silence is accepted. */
  single_source_until_wall_ns: number | null;
  devices: DeviceView[];
}

export interface RefundView {
  player: string;
  seat: number;
  kind: string;
  amount: number;
}

/** An alarm that was raised lately, open or not, and where it probably comes from. */
export interface RaisedView {
  kind: string;
  source: string;
  at_wall_ns: number;
}

export interface SupervisorView {
  dealer: DealerView;
  incidents: IncidentView[];
  refunds: RefundView[];
  refund_total: number;
  can_void: boolean;
  rulings: RulingsView;
  shoe_page: ShoePageView;
  raised: RaisedView[];
}

/** A whole view with the table's sequence it shows. */
export interface Frame<View> {
  topic: string;
  sequence: number;
  server_wall_ns: number;
  view: View;
}
