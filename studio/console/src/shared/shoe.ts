// The views of a shoe's life of studio/domain/views.py as JSON.

export interface CountView {
  pack: string;
  purpose: string;
  cards: number;
  size: number;
  unread: number;
  signed: string[];
}

export interface LastCountView {
  result: string;
  purpose: string;
  counted: number;
  size: number;
  unread: number;
  missing: string[];
  extra: string[];
  signed: string[];
  at_wall_ns: number;
}

export interface PackView {
  id: string;
  batch: string;
  back: string;
  decks: number;
  life: string;
  loads: number;
  first_loaded_wall_ns: number | null;
  last_count: LastCountView | null;
  reason: string;
}

/** `copies` are 52 numbers: diamonds, clubs, spades, hearts, each ace to king. */
export interface ClosedShoeView {
  id: string;
  pack: string;
  out: number;
  copies: number[];
}

export interface ShuffleEvidenceView {
  draws: number;
  run_match: number;
  sorted_run: number;
  early_limit: number;
  late_limit: number;
  sorted_limit: number;
}

/** `copies` as in `ClosedShoeView`, of the cards whose face everybody saw. */
export interface ShoePageView {
  packs: PackView[];
  /** How long a pack may be in use. */
  pack_hours: number;
  /** Whether the next shoe must be of another batch and back than the last. */
  alternates: boolean;
  loaded: string;
  counting: CountView | null;
  due_count: string;
  copies: number[];
  impossible: number[];
  evidence: ShuffleEvidenceView;
  smallest_p: number;
  closed: ClosedShoeView | null;
}
