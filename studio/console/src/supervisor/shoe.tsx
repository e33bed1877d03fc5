// The shoe page: packs with batch and last count, copies by card that everybody saw, impossible cards, evidence of the
// shuffle, and the button that puts a pack away (consoles.md S13).

import { useEffect, useRef, useState } from "preact/hooks";
import { rankOf, SuitGlyph } from "../shared/cards";
import { common } from "../shared/catalog";
import { useFocusOnce } from "../shared/focus";
import { words } from "../shared/format";
import type { Commands } from "../shared/live";
import type { LastCountView, PackView, ShoePageView } from "../shared/shoe";
import type { Frame, SupervisorView } from "../shared/types";
import { cardName } from "./pickers";
import { shoeTexts, wizardTexts } from "./texts";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["D", "C", "S", "H"];

interface ShoeProps {
  frame: Frame<SupervisorView>;
  live: boolean;
  commands: Commands;
  close: () => void;
}

export function ShoePage({ frame, live, commands, close }: ShoeProps) {
  const page = frame.view.shoe_page;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { evidence, counting } = page;
  const idle = live && commands.pending === "";
  const press = (command: string, args: Record<string, string>): void => void commands.send(command, { command, arguments: args, seenSequence: frame.sequence });
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
            <button type="button" class="small" data-testid="sign-count" disabled={!idle} onClick={() => press("sign-count", {})}>
              {shoeTexts.sign}
            </button>
          </p>
        )}
        <table class="before-after packs" data-testid="packs">
          <caption>{shoeTexts.packs}</caption>
          <thead>
            <tr>
              {shoeTexts.packColumns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.packs.map((pack) => (
              <Pack key={pack.id} pack={pack} loaded={page.loaded === pack.id} idle={idle} press={press} />
            ))}
          </tbody>
        </table>
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

function Pack({ pack, loaded, idle, press }: { pack: PackView; loaded: boolean; idle: boolean; press: (command: string, args: Record<string, string>) => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <tr class={loaded ? "changed" : ""} data-testid={`pack-${pack.id}`}>
      <th scope="row">{pack.id}</th>
      <td>
        {pack.batch} · {pack.back} · {shoeTexts.decks(pack.decks)}
      </td>
      <td>
        {words(pack.life)}
        {pack.reason && <span class="player">{pack.reason}</span>}
      </td>
      <td>{pack.last_count ? <Counted count={pack.last_count} /> : <span class="quiet">{shoeTexts.neverCounted}</span>}</td>
      <td>
        {pack.life !== "quarantined" && !asking && (
          <button type="button" class="small harm" data-testid={`quarantine-${pack.id}`} disabled={!idle} onClick={() => setAsking(true)}>
            {shoeTexts.quarantine}
          </button>
        )}
        {asking && (
          <Why
            idle={idle}
            send={(reason) => {
              press("quarantine-pack", { pack: pack.id, reason });
              setAsking(false);
            }}
          />
        )}
      </td>
    </tr>
  );
}

function Why({ idle, send }: { idle: boolean; send: (reason: string) => void }) {
  const first = useFocusOnce<HTMLInputElement>();
  const [reason, setReason] = useState("");
  return (
    <form
      class="hand-over"
      onSubmit={(event) => {
        event.preventDefault();
        if (idle && reason.trim() !== "") send(reason);
      }}
    >
      <input type="text" ref={first} value={reason} required maxLength={200} aria-label={shoeTexts.why} placeholder={shoeTexts.why} data-testid="quarantine-why" onInput={(event) => setReason(event.currentTarget.value)} />
      <button type="submit" class="small harm" data-testid="quarantine-do" disabled={!idle || reason.trim() === ""}>
        {shoeTexts.quarantineDo}
      </button>
    </form>
  );
}

function Counted({ count }: { count: LastCountView }) {
  const differing = [...count.missing.map((code) => shoeTexts.missing(cardName(code))), ...count.extra.map((code) => shoeTexts.extra(cardName(code)))];
  return (
    <>
      {words(count.result)} · {count.counted}/{count.size}
      <span class="player">
        {new Date(count.at_wall_ns / 1e6).toLocaleString("en-GB")} · {count.signed.join(", ")}
      </span>
      {differing.length > 0 && <b class="warn">{differing.join(", ")}</b>}
    </>
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
