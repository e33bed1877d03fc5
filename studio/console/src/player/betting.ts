// Chips, the chosen spot and the confirm button: chips collect in a draft, one confirmation sends it as one batch, as
// an operator's client may do too. What the table makes of it is said in notes.

import { useEffect, useRef, useState } from "preact/hooks";
import { amount } from "../shared/format";
import * as drafts from "./draft";
import type { Draft, Spot } from "./draft";
import type { PlayerTexts } from "./english";
import type { Notes } from "./notes";
import * as places from "./spots";
import type { PlayerTable } from "./table";
import type { BetView, PlayerView, PublicView } from "./types";

/** In minor units (rules.md M7). */
export const CHIPS = [100, 500, 2500, 10000, 50000];

const PLACED_BY_PLAYERS = new Set(["main", "behind", "pair", "bust", "lucky3", "poker3"]);

export interface Betting {
  open: boolean;
  spots: Spot[];
  chosen: Spot | null;
  choose: (spot: Spot) => void;
  step: (by: number) => void;
  bets: BetView[];
  cost: number;
  covered: boolean;
  canUndo: boolean;
  canRepeat: boolean;
  /** Add a chip to the chosen spot, or take one away with `sign` -1. */
  chip: (value: number, sign: 1 | -1) => void;
  undo: () => void;
  clear: () => void;
  repeat: () => void;
  confirm: () => void;
  sending: boolean;
}

interface Item {
  accepted: boolean;
  bets?: { seat: number; amount: number }[];
  note?: string;
  code?: string;
  text?: string;
}

export function useBetting(play: PlayerTable, table: PublicView, own: PlayerView, live: boolean, notes: Notes, texts: PlayerTexts): Betting {
  const [draft, setDraft] = useState<Draft>(drafts.EMPTY);
  const [picked, setPicked] = useState<Spot | null>(null);
  const [last, keep] = useLastBets(table, own);
  const open = table.phase === "betting" && !table.stopped && live;
  const spots = open ? places.spots(table, own) : [];
  // By itself only the own main bet is chosen: nobody bets on another's hand without meaning to.
  const main = spots.find((spot) => spot.kind === "main");
  const chosen = spots.find((spot) => picked !== null && drafts.sameSpot(spot, picked)) ?? main ?? null;
  const cost = places.cost(draft.bets, own);
  const sending = play.pending.has("bets");
  const betting = table.phase === "betting";
  const isOpen = useRef(open);
  isOpen.current = open;

  useEffect(() => {
    if (betting) {
      notes.clear();
      return;
    }
    setDraft((held) => {
      if (held.bets.length > 0) notes.add("warn", texts.notes.tooLate);
      return drafts.EMPTY;
    });
  }, [betting, table.round]);

  const offered = JSON.stringify(spots);
  useEffect(() => {
    // Chips go with the seat: what lies where no bet can be placed any more is taken off, and cannot come back.
    if (!open) return;
    setDraft((held) => {
      const kept = places.placeable(held.bets, table, own);
      return JSON.stringify(kept) === JSON.stringify(held.bets) ? held : { bets: kept, before: [] };
    });
  }, [open, offered]);

  const confirm = async (): Promise<void> => {
    const { bets } = draft;
    if (!open || sending || bets.length === 0 || cost > own.balance) return;
    setDraft(drafts.EMPTY);
    keep(bets);
    const items = bets.map(({ kind, seat, amount: value }) => ({ kind, seat, amount: value }));
    const answer = await play.send("bets", "bets", { bets: items });
    if (answer === null) return;
    const why = (code: string, text: string): string => texts.refusals[code] ?? text;
    let back: BetView[] = [];
    if (answer.ok) {
      const answers = Array.isArray(answer.body.items) ? (answer.body.items as Item[]) : [];
      back = bets.filter((_, index) => answers[index]?.accepted === false);
      bets.forEach((bet, index) => tell(bet, answers[index]));
    } else {
      back = bets;
      notes.add("warn", texts.notes.refused(texts.confirm, why(answer.refusal.code, answer.refusal.text)));
    }
    // What was refused lies in the draft again, to be changed, unless other chips lie there already.
    if (isOpen.current) setDraft((held) => (held.bets.length === 0 ? { bets: back, before: [] } : held));

    function tell(bet: BetView, item: Item | undefined): void {
      if (item === undefined) return;
      const name = texts.bets[bet.kind] ?? bet.kind;
      const what = table.layout === "seats" ? `${texts.seat(bet.seat)} · ${name}` : name;
      if (!item.accepted) {
        notes.add("warn", texts.notes.refused(what, why(item.code ?? "", item.text ?? "")));
        return;
      }
      const placed = item.bets ?? [{ seat: bet.seat, amount: bet.amount }];
      const each = placed.map((one) => `${texts.seat(one.seat)} ${amount(one.amount)}`).join(", ");
      if (item.note === "raised-to-minimum") {
        notes.add("warn", texts.notes["raised-to-minimum"](amount(placed[0]?.amount ?? 0)));
      } else if (item.note === "shared-between-seats") {
        notes.add("warn", texts.notes["shared-between-seats"](each));
      } else if (placed.length > 1) {
        notes.add("good", texts.notes.mirrored(each));
      } else {
        notes.add("good", texts.notes.accepted(`${what} ${amount(placed[0]?.amount ?? bet.amount)}`));
      }
    }
  };

  const repeated = open ? places.placeable(last, table, own) : [];
  return {
    open,
    spots,
    chosen,
    choose: setPicked,
    step: (by) => {
      const at = spots.findIndex((spot) => chosen !== null && drafts.sameSpot(spot, chosen));
      const from = at < 0 && by < 0 ? 0 : at;
      setPicked(spots[(from + by + spots.length) % spots.length] ?? null);
    },
    bets: draft.bets,
    cost,
    covered: cost <= own.balance,
    canUndo: open && draft.before.length > 0,
    canRepeat: repeated.length > 0,
    chip: (value, sign) => {
      if (open && chosen) setDraft((held) => drafts.move(held, places.keptFor(chosen, own), sign * value));
    },
    undo: () => setDraft(drafts.undo),
    clear: () => setDraft((held) => drafts.replace(held, [])),
    repeat: () => {
      if (repeated.length > 0) setDraft((held) => drafts.replace(held, repeated));
    },
    confirm: () => void confirm(),
    sending,
  };
}

/** The bets of the player's last round at this table, kept on this device; doubles and splits are no part of them. */
function useLastBets(table: PublicView, own: PlayerView): [BetView[], (confirmed: BetView[]) => void] {
  const place = `last-bets:${table.table}:${own.player}`;
  const [last, setLast] = useState<BetView[]>(() => stored(place));
  const placed = useRef<BetView[]>([]);
  const save = (bets: BetView[]): void => {
    localStorage.setItem(place, JSON.stringify(bets));
    setLast(bets);
  };
  useEffect(() => {
    const bets = own.bets.filter((bet) => PLACED_BY_PLAYERS.has(bet.kind));
    if (table.phase === "betting") {
      placed.current = bets;
    } else if (table.phase === "dealing" && bets.length > 0) {
      save(bets);
      placed.current = [];
    } else if (placed.current.length > 0) {
      save(placed.current);
      placed.current = [];
    }
  }, [table.phase, own.bets]);
  // Without an earlier round a confirmed bet is the last one, so that it can be placed once more.
  return [last, (confirmed) => (last.length === 0 ? save(confirmed) : undefined)];
}

function stored(place: string): BetView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    return Array.isArray(kept) ? (kept as BetView[]) : [];
  } catch {
    return [];
  }
}
