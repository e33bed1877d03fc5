// A settled round to be settled again: its number, its cards as recorded, and what was different.

import { useEffect, useState } from "preact/hooks";
import { getDocument } from "../shared/api";
import type { Link } from "../shared/link";
import type { Change, DrawView } from "../shared/rulings";
import { ChangesForm, KINDS } from "./details";
import type { Place } from "./pickers";
import { wizardTexts } from "./texts";

interface RevisedProps {
  link: Link;
  round: number;
  setRound: (round: number) => void;
  changes: Change[];
  set: (changes: Change[]) => void;
}

export function RevisedRound({ link, round, setRound, changes, set }: RevisedProps) {
  const [typed, setTyped] = useState(round > 0 ? String(round) : "");
  const [draws, setDraws] = useState<DrawView[] | null>(null);
  const [failed, setFailed] = useState(false);
  const read = async (number: number): Promise<void> => {
    if (!(number > 0)) return;
    const found = await getDocument<DrawView[]>(`/v1/tables/${encodeURIComponent(link.table)}/rounds/${number}/draws`, link.token);
    setFailed(found === null);
    setDraws(found);
    set([]);
    setRound(number);
  };
  useEffect(() => {
    if (round > 0 && draws === null) void read(round);
  }, []);
  return (
    <>
      <form
        class="round-number"
        onSubmit={(event) => {
          event.preventDefault();
          void read(Number(typed));
        }}
      >
        <label>
          <span class="fact-label">{wizardTexts.round}</span>
          <input type="text" inputMode="numeric" value={typed} data-testid="round-number" onInput={(event) => setTyped(event.currentTarget.value.replace(/\D/g, ""))} />
        </label>
        <button type="submit" class="small" data-testid="read-round">
          {wizardTexts.readRound}
        </button>
        {failed && (
          <span class="refusal" role="alert">
            {wizardTexts.noRound}
          </span>
        )}
      </form>
      {draws && <ChangesForm kinds={KINDS.revise ?? []} draws={draws} places={placesOf(draws)} changes={changes} set={set} />}
    </>
  );
}

/** The hands that the round's cards lie at, the dealer's first. */
function placesOf(draws: DrawView[]): Place[] {
  const found = new Map<string, Place>([["0-1", { seat: 0, hand: 1 }]]);
  for (const { seat, hand } of draws) if (seat > 0) found.set(`${seat}-${hand}`, { seat, hand });
  return [...found.values()].sort((one, other) => one.seat - other.seat || one.hand - other.hand);
}
