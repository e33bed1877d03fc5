// Step 3: what it would do, per seat: cards, totals, bets and money before and after, and what players are told (S5).

import { Card } from "../shared/cards";
import { common } from "../shared/catalog";
import { english } from "../player/english";
import { amount, words } from "../shared/format";
import type { HandBeside, HandPreview, MoneyPreview, Preview } from "../shared/rulings";
import { nameOfPlace } from "./pickers";
import { wizardTexts } from "./texts";

export function PreviewTables({ preview, currency }: { preview: Preview; currency: string }) {
  // What changes comes first.
  const changed = preview.hands.some((hand) => hand.changed);
  return (
    <div class="preview" tabIndex={0} role="region" aria-label={wizardTexts.hands} data-testid="preview">
      {changed && <Hands hands={preview.hands} />}
      <Money preview={preview} currency={currency} />
      {!changed && preview.hands.length > 0 && <Hands hands={preview.hands} />}
    </div>
  );
}

function Hands({ hands }: { hands: HandPreview[] }) {
  return (
    <table class="before-after">
      <caption>{wizardTexts.hands}</caption>
      <thead>
        <tr>
          {wizardTexts.handColumns.map((name) => (
            <th key={name} scope="col" class={name === wizardTexts.handColumns.at(-1) ? "number" : ""}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...hands.filter((hand) => hand.changed), ...hands.filter((hand) => !hand.changed)].map((hand) => (
          <tr key={`${hand.seat}-${hand.hand}`} class={hand.changed ? "changed" : ""} data-testid={`hand-${hand.seat}-${hand.hand}`}>
            <th scope="row">
              {nameOfPlace(hand)}
              <span class="player">{hand.player}</span>
            </th>
            <td>
              <Beside hand={hand.before} />
            </td>
            <td>{hand.changed ? <Beside hand={hand.after} /> : <span class="quiet">{wizardTexts.unchanged}</span>}</td>
            <td class="number">{hand.seat > 0 && <FromTo before={hand.before?.stake ?? 0} after={hand.after?.stake ?? 0} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Beside({ hand }: { hand: HandBeside | null }) {
  if (hand === null) return <span class="quiet">{wizardTexts.none}</span>;
  const state = common.handStates[hand.state] ?? hand.state;
  return (
    <span class="beside-hand">
      <span class="cards">
        {hand.cards.map((code, index) => (
          <Card key={index} code={code} size="tiny" />
        ))}
      </span>
      <span class="total">
        {hand.total} {state !== hand.total && <span class="hand-state">{state}</span>}
      </span>
    </span>
  );
}

function Money({ preview, currency }: { preview: Preview; currency: string }) {
  return (
    <table class="before-after money">
      <caption>{wizardTexts.money}</caption>
      <thead>
        <tr>
          {wizardTexts.moneyColumns.map((name, index) => (
            <th key={name} scope="col" class={index > 0 ? "number" : ""}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {preview.money.map((line) => (
          <MoneyLine key={`${line.player}/${line.seat}/${line.kind}`} line={line} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{wizardTexts.total}</th>
          <td class="number" data-testid="staked-total">
            <FromTo before={preview.staked_before} after={preview.staked_after} /> {currency}
          </td>
          <td class="number">
            {preview.refund_total !== 0 && (
              <>
                <span class="quiet">{wizardTexts.refundTotal}</span>{" "}
                <b data-testid="refund-total">
                  {amount(preview.refund_total)} {currency}
                </b>
              </>
            )}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function MoneyLine({ line }: { line: MoneyPreview }) {
  const changed = line.staked_before !== line.staked_after || line.back_before !== line.back_after;
  return (
    <tr class={changed ? "changed" : ""} data-testid={`money-${line.seat}-${line.kind}`}>
      <th scope="row">
        {common.seat(line.seat)}
        {line.player && ` · ${line.player}`} · {words(line.kind)}
      </th>
      <td class="number">
        <FromTo before={line.staked_before} after={line.staked_after} />
      </td>
      <td class="number">
        <FromTo before={line.back_before} after={line.back_after} />
      </td>
    </tr>
  );
}

function FromTo({ before, after }: { before: number | null; after: number | null }) {
  if (before === after) return <span>{sum(after)}</span>;
  return (
    <span class="from-to">
      <span class="from">{sum(before)}</span> → <b>{sum(after)}</b>
    </span>
  );
}

function sum(value: number | null): string {
  return value === null ? wizardTexts.notKnown : amount(value);
}

/** How the table goes on, and what players read: in the very words of their terminal. */
export function Outcome({ preview }: { preview: Preview }) {
  const message = preview.message;
  const say = message === null ? undefined : english.notices[message.key];
  return (
    <p class="outcome" data-testid="outcome">
      <span class="fact-label">{wizardTexts.next}</span> {preview.phase_after && `${common.phases[preview.phase_after] ?? preview.phase_after}: `}
      {preview.next_step}.{" "}
      <span class="fact-label">{wizardTexts.message}</span>{" "}
      {message === null ? wizardTexts.noMessage : <q data-testid="message">{say ? say(message.parameters.round ?? "") : words(message.key)}</q>}
    </p>
  );
}
