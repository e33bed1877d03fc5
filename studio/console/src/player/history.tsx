// The bet history (consoles.md T7): every bet with its cards, decisions, result and ledger entries; what is void or
// refunded is marked as such.

import { useEffect, useState } from "preact/hooks";
import type { TableApi } from "../shared/api";
import { amount, signed } from "../shared/format";
import { PlayingCard } from "./cards";
import type { PlayerTexts } from "./english";
import { actionWord, useTexts } from "./language";
import type { HistoryDecision, HistoryRound, PublicView } from "./types";

const PAGE = 20;

/** Rounds of this player, newest first; `null` when they could not be read. */
export async function readHistory(api: TableApi, limit: number, before?: number): Promise<HistoryRound[] | null> {
  const asked = new URLSearchParams({ limit: String(limit) });
  if (before !== undefined) asked.set("before", String(before));
  const read = await api.get(`history?${asked.toString()}`);
  return read && Array.isArray(read.rounds) ? (read.rounds as HistoryRound[]) : null;
}

/** `sequence` is the table's: the newest page is read again when it moves. */
export function History({ api, table, sequence }: { api: TableApi; table: PublicView; sequence: number }) {
  const texts = useTexts();
  const [rounds, setRounds] = useState<HistoryRound[] | null>(null);
  const [failed, setFailed] = useState(false);
  const [ended, setEnded] = useState(false);

  useEffect(() => {
    void readHistory(api, PAGE).then((read) => {
      setFailed(read === null);
      if (read === null) return;
      setRounds((shown) => [...read, ...(shown ?? []).filter((one) => one.round < (read.at(-1)?.round ?? Infinity))]);
      if (read.length < PAGE) setEnded(true);
    });
  }, [api, sequence]);

  const more = async (): Promise<void> => {
    const read = await readHistory(api, PAGE, rounds?.at(-1)?.round);
    setFailed(read === null);
    if (read === null) return;
    setRounds((shown) => [...(shown ?? []), ...read]);
    setEnded(read.length < PAGE);
  };

  return (
    <>
      {failed && <p class="warn">{texts.historyUnread}</p>}
      {rounds?.length === 0 && <p class="quiet">{texts.noHistory}</p>}
      {rounds?.map((round) => <Round key={round.round} round={round} table={table} />)}
      {rounds && !ended && (
        <button type="button" class="more" data-testid="more" onClick={() => void more()}>
          {texts.more}
        </button>
      )}
    </>
  );
}

function Round({ round, table }: { round: HistoryRound; table: PublicView }) {
  const texts = useTexts();
  const net = round.bets.reduce((sum, bet) => sum + bet.net, 0);
  const at = new Date(round.at_wall_ns / 1e6).toLocaleString(texts.code === "fr" ? "fr-FR" : "en-GB", { dateStyle: "short", timeStyle: "medium" });
  return (
    <article class={`past ${round.ended}`} data-testid={`round-${round.round}`} aria-label={texts.round(round.round)}>
      <header>
        <h3>{texts.round(round.round)}</h3>
        <span class="ended">{texts.ended[round.ended] ?? round.ended}</span>
        <time class="quiet">{at}</time>
        {round.ended === "settled" && <b class={net < 0 ? "minus" : "plus"}>{signed(net)}</b>}
      </header>
      {round.dealer.length > 0 && (
        <p class="past-dealer">
          <span class="quiet">{texts.dealerCards}</span> <Codes codes={round.dealer} />
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.columns.bet}</th>
            <th scope="col">{texts.columns.cards}</th>
            <th scope="col">{texts.columns.stake}</th>
            <th scope="col">{texts.columns.returned}</th>
            <th scope="col">{texts.columns.result}</th>
          </tr>
        </thead>
        <tbody>
          {round.bets.map((bet, index) => (
            <tr key={index} class={bet.result}>
              <td>
                {texts.bets[bet.kind] ?? bet.kind}
                {table.layout === "seats" && <span class="quiet"> · {texts.seat(bet.seat)}</span>}
                {bet.hand > 1 && <span class="quiet"> · {texts.hand(bet.hand)}</span>}
              </td>
              <td>
                <Codes codes={bet.cards} />
              </td>
              <td class="number">{amount(bet.stake)}</td>
              <td class="number">{amount(bet.returned)}</td>
              <td>
                {texts.results[bet.result] ?? bet.result} <b class="number">{signed(bet.net)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {round.decisions.length > 0 && (
        <p class="past-decisions">
          <span class="quiet">{texts.decisions}:</span> {round.decisions.map((one) => decisionWords(texts, table, one)).join(" · ")}
        </p>
      )}
      <details>
        <summary>{texts.ledger}</summary>
        <ul class="entries">
          {round.entries.map((entry) => (
            <li key={entry.id}>
              <code>{entry.id}</code> <span>{entryWords(texts, table, entry.cause)}</span>
              <b class="number">{signed(entry.amount)}</b>
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}

/** A decision in words: what was wanted and done, why they differ or nobody chose, and on which hand. */
export function decisionWords(texts: PlayerTexts, table: PublicView, decision: HistoryDecision): string {
  const { asked, action, seat, hand } = decision;
  const word = (name: string): string => actionWord(texts, table.variant, name);
  const done = asked === action ? word(action) : `${word(asked)} → ${word(action)}`;
  const cause = texts.causes[decision.cause];
  const where = [table.layout === "seats" ? texts.seat(seat) : "", hand > 1 ? texts.hand(hand) : ""].filter(Boolean);
  return [cause ? `${done} (${cause})` : done, ...where].join(", ");
}

/** What moved the money: the ledger says `pair won`, or the action that added a stake. */
function entryWords(texts: PlayerTexts, table: PublicView, cause: string): string {
  const [kind = "", why = ""] = cause.split(" ");
  const bet = texts.bets[kind];
  if (cause.endsWith("follows")) return actionWord(texts, table.variant, "follow");
  return bet && texts.entryCauses[why] ? `${bet} · ${texts.entryCauses[why]}` : actionWord(texts, table.variant, cause);
}

function Codes({ codes }: { codes: string[] }) {
  return (
    <span class="codes">
      {codes.map((code, index) => (
        <PlayingCard key={index} code={code} />
      ))}
    </span>
  );
}
