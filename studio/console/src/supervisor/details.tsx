// Step 2: what the way out needs to know. What comes out are the changes of a correction; whether they are lawful
// says the preview.

import { useState } from "preact/hooks";
import type { Change, DrawView } from "../shared/rulings";
import { cardName, CardPicker, DrawPicker, nameOfPlace, SeatPicker, type Place } from "./pickers";
import { wizardTexts } from "./texts";

type Kind = "card-value" | "placed" | "out-of-play";

/** Which kinds of change a way out takes; none for those that need no details. */
export const KINDS: Record<string, Kind[]> = {
  correct: ["card-value", "placed", "out-of-play"],
  revise: ["card-value", "placed", "out-of-play"],
  move: ["placed"],
  "out-of-play": ["out-of-play"],
};

const LABELS: Record<Kind, string> = {
  "card-value": wizardTexts.isCard,
  placed: wizardTexts.liesAt,
  "out-of-play": wizardTexts.isOut,
};

interface ChangesProps {
  kinds: Kind[];
  draws: DrawView[];
  places: Place[];
  changes: Change[];
  set: (changes: Change[]) => void;
}

/** A draw on the left, what is wrong with it on the right; each draw has one change. */
export function ChangesForm({ kinds, draws, places, changes, set }: ChangesProps) {
  // Who comes back to this step finds the last change where they left it.
  const last = changes.at(-1);
  const [chosen, setChosen] = useState<number | null>(last ? drawOf(last) : null);
  const [kind, setKind] = useState<Kind | null>(kinds.find((one) => one === last?.change) ?? (kinds.length === 1 ? (kinds[0] ?? null) : null));
  const single = kinds.length === 1 && kinds[0] === "out-of-play";
  const current = changes.find((one) => drawOf(one) === chosen);
  const put = (change: Change): void => set([...changes.filter((one) => drawOf(one) !== drawOf(change)), change]);
  const choose = (draw: number): void => {
    setChosen(draw);
    if (single) put({ change: "out-of-play", draw });
  };
  const turn = (to: Kind): void => {
    setKind(to);
    if (to === "out-of-play" && chosen !== null) put({ change: "out-of-play", draw: chosen });
  };
  return (
    <div class="changes-form">
      <DrawPicker draws={draws} chosen={chosen} marked={changes.map(drawOf)} take={choose} />
      {!single && (
        <div class="change">
          {chosen === null && <p class="hint">{wizardTexts.chooseDraw}</p>}
          {chosen !== null && kinds.length > 1 && (
            <div class="kinds" role="group">
              {kinds.map((one) => (
                <button key={one} type="button" data-testid={`kind-${one}`} aria-pressed={kind === one} onClick={() => turn(one)}>
                  {LABELS[one]}
                </button>
              ))}
            </div>
          )}
          {chosen !== null && kind === "card-value" && (
            <CardPicker key={chosen} chosen={current?.change === "card-value" ? current.card : ""} take={(card) => put({ change: "card-value", draw: chosen, card })} />
          )}
          {chosen !== null && kind === "placed" && (
            <>
              <SeatPicker places={places} chosen={current?.change === "placed" ? current : null} take={(place) => put({ change: "placed", draw: chosen, ...place })} />
              <p class="hint">{wizardTexts.followers}</p>
            </>
          )}
        </div>
      )}
      <ChangeList changes={changes} set={set} />
    </div>
  );
}

function ChangeList({ changes, set }: { changes: Change[]; set: (changes: Change[]) => void }) {
  if (changes.length === 0) return null;
  return (
    <div class="change-list" data-testid="changes">
      <span class="fact-label">{wizardTexts.changes}</span>
      <ul>
        {changes.map((one) => (
          <li key={drawOf(one)}>
            {changeName(one)}
            <button type="button" aria-label={`${wizardTexts.remove}: ${changeName(one)}`} onClick={() => set(changes.filter((other) => other !== one))}>
              {wizardTexts.remove}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function drawOf(change: Change): number {
  return change.change === "dead-hand" ? 0 : change.draw;
}

export function changeName(change: Change): string {
  const say = wizardTexts.changed[change.change] ?? String;
  switch (change.change) {
    case "card-value":
      return `${wizardTexts.draw(change.draw)} ${say(cardName(change.card))}`;
    case "placed":
      return `${wizardTexts.draw(change.draw)} ${say(nameOfPlace(change))}`;
    case "out-of-play":
      return `${wizardTexts.draw(change.draw)} ${say("")}`;
    case "dead-hand":
      return say(nameOfPlace({ seat: change.seat, hand: 1 }));
  }
}

/** The one card that nobody could read. */
export function EnterForm({ draw, changes, set }: { draw: number; changes: Change[]; set: (changes: Change[]) => void }) {
  const [current] = changes;
  return <CardPicker chosen={current?.change === "card-value" ? current.card : ""} take={(card) => set([{ change: "card-value", draw, card }])} />;
}

/** The seat that leaves the round. */
export function DeadHandForm({ seats, changes, set }: { seats: number[]; changes: Change[]; set: (changes: Change[]) => void }) {
  const [current] = changes;
  const chosen = current?.change === "dead-hand" ? { seat: current.seat, hand: 1 } : null;
  return <SeatPicker places={seats.map((seat) => ({ seat, hand: 1 }))} chosen={chosen} take={({ seat }) => set([{ change: "dead-hand", seat }])} />;
}
