// What a player may check: the rules with their hash and returns (consoles.md T8), and the virtual shoe's shuffle.

import { useState } from "preact/hooks";
import { amount } from "../shared/format";
import { useTexts } from "./language";
import type { OpenedShuffle, PublicView, Rules } from "./types";

export function AboutRules({ table, rules }: { table: PublicView; rules: Rules | null }) {
  const texts = useTexts();
  const published = rules?.parameters.published_rtp ?? null;
  const computed = rules?.computed_rtp ?? null;
  return (
    <div class="about">
      <a
        class="sheet"
        data-testid="rule-sheet"
        href={`/rules/${encodeURIComponent(table.table)}?lang=${texts.code}`}
        target="_blank"
        rel="noreferrer"
      >
        {texts.ruleSheet}
      </a>
      <p>{table.rule_line}</p>
      <p>{texts.limits(amount(table.minimum), amount(table.maximum))}</p>
      {computed !== null && <p data-testid="computed-rtp">{texts.computedRtp(computed)}</p>}
      {published !== null && <p data-testid="published-rtp">{texts.publishedRtp(published)}</p>}
      {computed === null && published === null && <p class="quiet">{texts.noRtp}</p>}
      <h3>{texts.rulesHash}</h3>
      <p>
        <code data-testid="rules-hash">{table.rules_hash}</code>
      </p>
      <h3>{texts.keys}</h3>
      <dl class="keys">
        {texts.keyList.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The command with which anybody checks an opened shuffle. */
export function checkCommand(table: PublicView, opened: OpenedShuffle, decks: number): string {
  return [
    "studio verify-shuffle",
    `--decks ${decks}`,
    `--table ${table.table}`,
    `--round ${opened.round}`,
    `--commitment ${opened.commitment}`,
    `--seed ${opened.seed}`,
  ].join(" ");
}

export function Fairness({ table, rules }: { table: PublicView; rules: Rules | null }) {
  const texts = useTexts();
  const opened = table.opened_shuffle;
  return (
    <div class="about">
      <h3>{texts.round(table.round)}</h3>
      <p>{table.commitment === "" ? texts.noCommitment : texts.commitment}</p>
      {table.commitment !== "" && (
        <p>
          <code data-testid="commitment">{table.commitment}</code>
        </p>
      )}
      {opened && (
        <>
          <h3>{texts.openedRound(opened.round)}</h3>
          <dl class="opened">
            <dt>{texts.commitmentLabel}</dt>
            <dd>
              <code>{opened.commitment}</code>
            </dd>
            <dt>{texts.seed}</dt>
            <dd>
              <code data-testid="opened-seed">{opened.seed}</code>
            </dd>
          </dl>
          {rules && <Check command={checkCommand(table, opened, rules.parameters.decks)} />}
        </>
      )}
    </div>
  );
}

function Check({ command }: { command: string }) {
  const texts = useTexts();
  const [copied, setCopied] = useState(false);
  // Browsers offer the clipboard to secure pages only; elsewhere the text can be marked by hand.
  const copy = (): void => void navigator.clipboard?.writeText(command).then(() => setCopied(true));
  return (
    <>
      <p>{texts.checkIt}</p>
      <pre data-testid="check-command">{command}</pre>
      <button type="button" onClick={copy}>
        {copied ? texts.copied : texts.copy}
      </button>
    </>
  );
}
