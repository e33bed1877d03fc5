// A card on the screen. The suit is said three times, by glyph, by word and by colour, and never by colour alone
// (consoles.md D6). Glyphs are drawn, so that they look the same on every machine.

import { common } from "./catalog";

const GLYPHS: Record<string, string> = {
  S: "M50 4C58 22 92 42 92 64a20 20 0 0 1-36 12c1 9 5 15 12 20H32c7-5 11-11 12-20A20 20 0 0 1 8 64C8 42 42 22 50 4z",
  H: "M50 94C30 74 6 56 6 32A23 23 0 0 1 50 22 23 23 0 0 1 94 32C94 56 70 74 50 94z",
  D: "M50 4C60 22 72 38 86 50 72 62 60 78 50 96 40 78 28 62 14 50 28 38 40 22 50 4z",
  C: "M50 4a21 21 0 0 1 16 34.500A21 21 0 1 1 56 73c1 10 5 17 12 23H32c7-6 11-13 12-23A21 21 0 1 1 34 38.500 21 21 0 0 1 50 4z",
};

export type CardSize = "big" | "medium" | "small" | "tiny";

export function rankOf(code: string): string {
  return code.startsWith("T") ? "10" : code.charAt(0);
}

export function isBack(code: string): boolean {
  return GLYPHS[code.charAt(1)] === undefined;
}

export function SuitGlyph({ suit }: { suit: string }) {
  return (
    <svg class="glyph" viewBox="0 0 100 100" aria-hidden="true" data-glyph={suit}>
      <path d={GLYPHS[suit] ?? ""} />
    </svg>
  );
}

interface CardProps {
  code: string;
  size: CardSize;
  testid?: string;
  /** How the card is known where no reader told it: `manual`, `ruled` (consoles.md D20). */
  mark?: string | undefined;
}

export function Card({ code, size, testid, mark = "" }: CardProps) {
  const marked = mark === "" ? "" : "marked";
  const said = <Mark mark={mark} />;
  if (isBack(code)) {
    return (
      <span class={`card ${size} back ${marked}`} data-testid={testid} data-card="back">
        <span class="back-pattern" aria-hidden="true" />
        <span class="word">{common.back}</span>
        {said}
      </span>
    );
  }
  const suit = code.charAt(1);
  return (
    <span class={`card ${size} suit-${suit} ${marked}`} data-testid={testid} data-card={code}>
      <span class="face">
        <span class="rank">{rankOf(code)}</span>
        <SuitGlyph suit={suit} />
      </span>
      <span class="word">{common.suits[suit]}</span>
      {said}
    </span>
  );
}

/** The word for a card that no reader told; nothing for one that was read. */
export function Mark({ mark }: { mark: string }) {
  if (mark === "") return null;
  return (
    <span class="mark" data-mark={mark}>
      {common.marks[mark] ?? mark}
    </span>
  );
}
