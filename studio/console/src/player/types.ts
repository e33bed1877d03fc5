// What players see, as JSON: the public view of studio/domain/views.py and the private one beside it; amounts are
// minor units, times wall nanoseconds.

import type { MessageView } from "../shared/rulings";
import type { DealerHandView, HandView, ResultView, ShoeView } from "../shared/types";

export interface SeatView {
  seat: number;
  holder: string;
  player: string;
  bet: number;
  behind_players: number;
  behind_staked: number;
  insurance: number;
  target: boolean;
  hands: HandView[];
}

export interface SideBetView {
  kind: string;
  open: boolean;
  rounds_left: number | null;
  pays: Record<string, number>;
}

export interface OpenedShuffle {
  round: number;
  commitment: string;
  seed: string;
}

export interface PublicView {
  table: string;
  name: string;
  variant: string;
  simulated: boolean;
  rule_line: string;
  rules_hash: string;
  phase: string;
  round: number;
  stopped: boolean;
  suspended: boolean;
  deadline_wall_ns: number | null;
  currency: string;
  minimum: number;
  maximum: number;
  increment: number;
  layout: string;
  money: string;
  start: string;
  seats_per_player: number;
  bet_behind: boolean;
  side_bets: SideBetView[];
  players: number;
  staked: number;
  commitment: string;
  opened_shuffle: OpenedShuffle | null;
  shoe: ShoeView | null;
  seats: SeatView[];
  dealer_hand: DealerHandView;
  results: ResultView[];
}

export interface QuestionView {
  kind: string;
  decision: number;
  seat: number;
  hand: number;
  actions: string[];
  costs: number[];
  default: string;
  deadline_wall_ns: number | null;
}

export interface BetView {
  kind: string;
  seat: number;
  amount: number;
}

export interface PlanView {
  seat: number;
  hand: number;
  action: string;
}

export interface FollowingView {
  double: boolean | null;
  split: boolean | null;
}

/** A ruling as a player is told of it; `amount` is what it moved for them, or 0. */
export interface NoticeView {
  number: number;
  round: number;
  message: MessageView;
  amount: number;
}

export interface PlayerView {
  player: string;
  balance: number;
  seats: number[];
  bets: BetView[];
  hands: HandView[];
  questions: QuestionView[];
  plans: PlanView[];
  following: FollowingView;
  results: ResultView[];
  notices: NoticeView[];
}

/** What the terminal reads of a table's rules.json. */
export interface Rules {
  line: string;
  hash: string;
  parameters: {
    decks: number;
    split_hands: number;
    surrender: string;
    published_rtp: string | null;
  };
  computed_rtp?: string | null;
}

export interface HistoryBet {
  kind: string;
  seat: number;
  hand: number;
  cards: string[];
  stake: number;
  returned: number;
  net: number;
  result: string;
}

/** A decision on a hand with a stake of this player: `player` took it, `asked` is what was wanted, `action` what was done. */
export interface HistoryDecision {
  kind: string;
  player: string;
  seat: number;
  hand: number;
  asked: string;
  action: string;
  /** `player`, `no-answer` or `no-funds`. */
  cause: string;
  added_stake: number;
}

export interface HistoryEntry {
  id: string;
  amount: number;
  cause: string;
}

export interface HistoryRound {
  round: number;
  ended: string;
  at_wall_ns: number;
  dealer: string[];
  bets: HistoryBet[];
  decisions: HistoryDecision[];
  entries: HistoryEntry[];
}
