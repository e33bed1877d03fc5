// What stands on every console: the line of facts (consoles.md D18), the connection (D9), the watermark.

import type { ComponentChildren } from "preact";
import { common } from "./catalog";
import type { ServerClock } from "./clock";
import type { Connection } from "./feed";
import { useTick } from "./live";
import type { DealerOnDuty, ShoeView, TableView } from "./types";

function Fact({ label, testid, tone, title = "", children }: FactProps) {
  return (
    <div class={`fact ${tone ?? ""}`} data-testid={testid} title={title}>
      <span class="fact-label">{label}</span>
      <span class="fact-value">{children}</span>
    </div>
  );
}

interface FactProps {
  label: string;
  testid: string;
  tone?: string;
  title?: string;
  children: ComponentChildren;
}

/** Table, dealer and licence, rules, shoe, minutes at the table. */
export function Facts({ table, onDuty, clock }: { table: TableView; onDuty: DealerOnDuty | null; clock: ServerClock }) {
  useTick(5000);
  const minutes = onDuty ? Math.floor(Math.max(0, clock.secondsSince(onDuty.since_wall_ns) ?? 0) / 60) : null;
  return (
    <div class="facts">
      <Fact label={common.table} testid="table-name">
        {table.name}
      </Fact>
      <Fact
        label={onDuty?.licence_valid === false ? common.licenceInvalid : onDuty ? common.licenceValid : common.dealer}
        testid="on-duty"
        tone={onDuty?.licence_valid === false ? "bad" : ""}
        title={onDuty ? common.licenceUntil(onDuty.licence_until) : ""}
      >
        {onDuty ? onDuty.name : common.noDealer}
      </Fact>
      <Fact label={common.rules} testid="rule-line">
        {table.rule_line}
      </Fact>
      <ShoeGauge shoe={table.shoe} />
      <Fact label={common.atTable} testid="minutes">
        {minutes === null ? "–" : common.minutes(minutes)}
      </Fact>
    </div>
  );
}

export function ShoeGauge({ shoe }: { shoe: ShoeView | null }) {
  if (shoe === null) {
    return (
      <Fact label={common.shoe} testid="shoe-gauge">
        {common.noShoe}
      </Fact>
    );
  }
  const last = shoe.state === "last-round";
  return (
    <div class={`fact gauge ${last ? "warn" : ""}`} data-testid="shoe-gauge">
      <span class="fact-label">{last ? common.lastRound : common.shoe}</span>
      <span class="fact-value">{common.shoeCount(shoe.dealt, shoe.left)}</span>
      <progress max={Math.max(1, shoe.size)} value={shoe.dealt} aria-label={common.shoe} />
    </div>
  );
}

/** By shape and word: a filled dot, a hollow triangle, a cross. */
export function ConnectionChip({ connection }: { connection: Connection }) {
  const detail = { live: common.liveDetail, stale: common.staleDetail, offline: common.offlineDetail }[connection];
  return (
    <div class={`connection ${connection}`} data-testid="connection" data-connection={connection} role="status">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        {connection === "live" && <circle cx="10" cy="10" r="6" />}
        {connection === "stale" && <path d="M10 3 18 17H2z" fill="none" stroke-width="2.5" />}
        {connection === "offline" && <path d="M4 4 16 16M16 4 4 16" fill="none" stroke-width="3" />}
      </svg>
      <span class="connection-word">{common[connection]}</span>
      <span class="connection-detail">{detail}</span>
    </div>
  );
}

export function Watermark({ simulated }: { simulated: boolean }) {
  if (!simulated) return null;
  return (
    <div class="watermark" data-testid="watermark">
      {common.simulation}
    </div>
  );
}

/** A whole page of one sentence: no link, no sign-in, nothing from the server yet. */
export function Notice({ title, detail, children }: { title: string; detail: string; children?: ComponentChildren }) {
  return (
    <main class="notice">
      <h1 class="instruction" role="status" data-testid="instruction">
        {title}
      </h1>
      <p>{detail}</p>
      {children}
    </main>
  );
}
