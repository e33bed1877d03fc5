// The shoe page: packs of cards, copies by card that everybody saw, impossible cards, evidence of the shuffle
// (consoles.md S13).

import { useEffect, useRef } from "preact/hooks";
import { rankOf, SuitGlyph } from "../shared/cards";
import { common } from "../shared/catalog";
import type { ServerClock } from "../shared/clock";
import type { Commands } from "../shared/live";
import type { ShoePageView } from "../shared/shoe";
import type { Frame, SupervisorView } from "../shared/types";
import { Packs } from "./packs";
import { shoeTexts, wizardTexts } from "./texts";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["D", "C", "S", "H"];

interface ShoeProps {
  frame: Frame<SupervisorView>;
  live: boolean;
  clock: ServerClock;
  commands: Commands;
  close: () => void;
}

export function ShoePage({ frame, live, clock, commands, close }: ShoeProps) {
  const page = frame.view.shoe_page;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { evidence, counting } = page;
  const idle = live && commands.pending === "";
  return (
    <section class="wizard" aria-labelledby="shoe-title" data-testid="shoe-page" onKeyDown={(event) => event.key === "Escape" && close()}>
      <header>
        <h2 id="shoe-title" tabIndex={-1} ref={heading} data-focus="">
          {shoeTexts.title}
        </h2>
        <button type="button" class="small" data-testid="close" onClick={close}>
          {wizardTexts.close}
        </button>
      </header>
      {commands.refusal && (
        <p class="refusal" role="alert" data-testid="refusal">
          {commands.refusal.text}
        </p>
      )}
      <div class="shoe-scroll" tabIndex={0} role="region" aria-label={shoeTexts.title}>
        {counting && (
          <p class="second" data-testid="counting">
            {shoeTexts.counting(counting.pack, counting.cards, counting.size)} {counting.unread > 0 && shoeTexts.unread(counting.unread)}{" "}
            {counting.signed.length > 0 && shoeTexts.signed(counting.signed.join(", "))}{" "}
            <button type="button" class="small" data-testid="sign-count" disabled={!idle} onClick={() => void commands.send("sign-count", { command: "sign-count", arguments: {}, seenSequence: frame.sequence })}>
              {shoeTexts.sign}
            </button>
          </p>
        )}
        <Packs page={page} clock={clock} live={live} commands={commands} sequence={frame.sequence} />
        <Copies page={page} />
        <table class="before-after" data-testid="evidence">
          <caption>{shoeTexts.evidence(evidence.draws)}</caption>
          <tbody>
            <Evidence name={shoeTexts.runMatch} value={evidence.run_match} limit={shoeTexts.limits(evidence.early_limit, evidence.late_limit)} bad={evidence.run_match >= evidence.early_limit} />
            <Evidence name={shoeTexts.sortedRun} value={evidence.sorted_run} limit={String(evidence.sorted_limit)} bad={evidence.sorted_run >= evidence.sorted_limit} />
            <Evidence name={shoeTexts.smallestP} value={page.smallest_p.toPrecision(2)} limit="" bad={false} />
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Copies({ page }: { page: ShoePageView }) {
  const shown = page.closed?.copies ?? page.copies;
  return (
    <table class="copies" data-testid="copies">
      <caption>{page.closed ? shoeTexts.copiesClosed(page.closed.id) : shoeTexts.copies}</caption>
      <thead>
        <tr>
          <td />
          {RANKS.map((rank) => (
            <th key={rank} scope="col">
              {rankOf(rank)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {SUITS.map((suit, row) => (
          <tr key={suit}>
            <th scope="row" class={`suit-${suit}`}>
              <SuitGlyph suit={suit} /> {common.suits[suit]}
            </th>
            {RANKS.map((rank, column) => (
              <td key={rank}>{shown[row * RANKS.length + column] ?? 0}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={14} data-testid="impossible">
            {page.impossible.length === 0 ? shoeTexts.noImpossible : <b class="warn">{shoeTexts.impossible(page.impossible.join(", "))}</b>}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function Evidence({ name, value, limit, bad }: { name: string; value: number | string; limit: string; bad: boolean }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{bad ? <b class="warn">{value}</b> : value}</td>
      <td class="quiet">{limit && shoeTexts.alarm(limit)}</td>
    </tr>
  );
}
