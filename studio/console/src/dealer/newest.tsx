// The card that came last, large, and the five before it (consoles.md D5).

import { Card, isBack, Mark, rankOf, SuitGlyph } from "../shared/cards";
import { common, dealerTexts } from "../shared/catalog";
import type { LastCardView } from "../shared/types";

export function NewestCards({ cards }: { cards: LastCardView[] }) {
  const ordered = [...cards].sort((one, other) => other.draw - one.draw);
  const [newest, ...earlier] = ordered;
  return (
    <aside class="newest">
      {newest ? (
        <Card key={newest.draw} code={newest.card} size="big" testid="newest-card" mark={newest.mark} />
      ) : (
        <div class="card big none" data-testid="newest-card">
          {dealerTexts.noCard}
        </div>
      )}
      <p class="newest-place" data-testid="newest-place">
        {newest ? newest.place : "\u00a0"}
      </p>
      <ol class="earlier" data-testid="last-cards" aria-label={dealerTexts.lastFive}>
        {earlier.slice(0, 5).map((card) => (
          <li key={card.draw}>
            <Small code={card.card} />
            <span class="earlier-place">
              {card.place} <Mark mark={card.mark} />
            </span>
          </li>
        ))}
      </ol>
    </aside>
  );
}

function Small({ code }: { code: string }) {
  if (isBack(code)) return <span class="small-card">{common.hiddenCard}</span>;
  const suit = code.charAt(1);
  return (
    <span class={`small-card suit-${suit}`}>
      <b>{rankOf(code)}</b>
      <SuitGlyph suit={suit} />
      {common.suits[suit]}
    </span>
  );
}
