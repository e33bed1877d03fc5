// The standing answers of bets behind: whether they follow a double and a split, or are asked (rules.md B8, B9).

import type { PlayerTexts } from "./english";
import { useTexts } from "./language";
import type { FollowingView } from "./types";

export type Follow = keyof FollowingView;

const CHOICES = [
  ["ask", null],
  ["yes", true],
  ["no", false],
] as const;

/** The choice after the present one, for the key that goes round. */
export function nextChoice(now: boolean | null): boolean | null {
  const at = CHOICES.findIndex(([, value]) => value === now);
  return (CHOICES[(at + 1) % CHOICES.length] ?? CHOICES[0])[1];
}

interface FollowingProps {
  following: FollowingView;
  disabled: boolean;
  set: (what: Follow, value: boolean | null) => void;
}

export function Following({ following, disabled, set }: FollowingProps) {
  const texts = useTexts();
  return (
    <section class="following" data-testid="following" aria-label={texts.following}>
      <h2>{texts.following}</h2>
      {(["double", "split"] as const).map((what) => (
        <Row key={what} what={what} value={following[what]} texts={texts} disabled={disabled} set={set} />
      ))}
    </section>
  );
}

interface RowProps {
  what: Follow;
  value: boolean | null;
  texts: PlayerTexts;
  disabled: boolean;
  set: FollowingProps["set"];
}

function Row({ what, value, texts, disabled, set }: RowProps) {
  const name = what === "double" ? texts.followDouble : texts.followSplit;
  return (
    <div class="follow-row" role="group" aria-label={`${texts.following}: ${name}`}>
      <span>
        {name} <kbd>{what === "double" ? "F2" : "F4"}</kbd>
      </span>
      {CHOICES.map(([choice, meant]) => (
        <button
          key={choice}
          type="button"
          data-testid={`follow-${what}-${choice}`}
          aria-pressed={value === meant}
          disabled={disabled}
          onClick={() => set(what, meant)}
        >
          {texts.followChoices[choice]}
        </button>
      ))}
    </div>
  );
}
