// The search: conditions that all must hold, and the rounds that were found, newest first, a page at a time.

import { useEffect, useRef, useState } from "preact/hooks";
import type { EvidenceApi } from "./api";
import { moment, useTexts } from "./language";
import type { Found, FoundRound, TableLine } from "./types";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];
const EMPTY = { table: "", player: "", from: "", until: "", rank: "", suit: "", kind: "", incident: "" };

type Conditions = typeof EMPTY;

interface SearchProps {
  api: EvidenceApi;
  tables: TableLine[];
  table: string;
  chosen: { table: string; round: number } | null;
  choose: (table: string, round: number) => void;
}

export function SearchPanel({ api, tables, table, chosen, choose }: SearchProps) {
  const texts = useTexts();
  const [asked, setAsked] = useState<Conditions>({ ...EMPTY, table });
  const [kinds, setKinds] = useState<string[]>([]);
  const [rounds, setRounds] = useState<FoundRound[] | null>(null);
  const [after, setAfter] = useState<Found["after"]>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const sent = useRef<Conditions>(asked);

  const run = async (conditions: Conditions, older: Found["after"]): Promise<void> => {
    setBusy(true);
    setWrong("");
    sent.current = conditions;
    const read = await api.read<Found>(`evidence/rounds?${query(conditions, older)}`);
    setBusy(false);
    if (!read.ok) {
      setWrong(read.text);
      return;
    }
    setRounds((shown) => [...(older ? (shown ?? []) : []), ...read.body.rounds]);
    setAfter(read.body.after);
  };

  useEffect(() => {
    void api.read<string[]>("evidence/kinds").then((read) => read.ok && setKinds(read.body));
    void run(asked, null);
  }, []);

  const submit = (event: Event): void => {
    event.preventDefault();
    if ((asked.rank === "") !== (asked.suit === "")) setWrong(texts.halfCard);
    else if (asked.incident !== "" && asked.table === "") setWrong(texts.needsTable);
    else void run(asked, null);
  };
  const set = (name: keyof Conditions) => (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) => {
    setAsked({ ...asked, [name]: event.currentTarget.value });
  };
  const field = (name: keyof Conditions, label: string, type: string) => (
    <label class={`field ${name}`}>
      <span>{label}</span>
      <input type={type} value={asked[name]} data-testid={`search-${name}`} {...(type === "datetime-local" ? { step: 1 } : { min: 1 })} onInput={set(name)} />
    </label>
  );
  const choice = (name: keyof Conditions, label: string, options: [string, string][]) => (
    <label class={`field ${name}`}>
      <span>{label}</span>
      <select value={asked[name]} data-testid={`search-${name}`} onChange={set(name)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );

  return (
    <section class="search" aria-label={texts.find}>
      <form onSubmit={submit}>
        {choice("table", texts.table, [["", texts.allTables], ...tables.map((one): [string, string] => [one.table, one.name])])}
        {field("player", texts.player, "text")}
        {field("from", texts.from, "datetime-local")}
        {field("until", texts.until, "datetime-local")}
        {choice("rank", texts.rank, [["", texts.any], ...RANKS.map((rank): [string, string] => [rank, rank === "T" ? "10" : rank])])}
        {choice("suit", texts.suit, [["", texts.any], ...SUITS.map((suit): [string, string] => [suit, texts.suits[suit] ?? suit])])}
        {choice("kind", texts.noticed, [["", texts.nothing], ...kinds.map((kind): [string, string] => [kind, kind === "any" ? texts.anyIncident : texts.kindName(kind)])])}
        {field("incident", texts.incidentNumber, "number")}
        <div class="form-end">
          <button type="button" data-testid="clear" onClick={() => setAsked(EMPTY)}>
            {texts.clear}
          </button>
          <button type="submit" class="go" data-testid="search">
            {busy ? texts.searching : texts.search}
          </button>
        </div>
      </form>
      {wrong !== "" && (
        <p class="wrong" role="alert" data-testid="search-wrong">
          {wrong}
        </p>
      )}
      <p class="count" role="status" data-testid="count">
        {rounds === null ? "" : rounds.length === 0 && after === null ? texts.noneFound : texts.found(rounds.length)}
      </p>
      <ol class="results" data-testid="results">
        {rounds?.map((one) => (
          <li key={`${one.span.table}/${one.span.round}`}>
            <Line one={one} tables={tables} isChosen={chosen?.table === one.span.table && chosen.round === one.span.round} choose={choose} />
          </li>
        ))}
        {rounds !== null && after !== null && (
          <li>
            <button type="button" class="more" data-testid="more" disabled={busy} onClick={() => void run(sent.current, after)}>
              {texts.more}
            </button>
          </li>
        )}
      </ol>
    </section>
  );
}

interface LineProps {
  one: FoundRound;
  tables: TableLine[];
  isChosen: boolean;
  choose: (table: string, round: number) => void;
}

function Line({ one, tables, isChosen, choose }: LineProps) {
  const texts = useTexts();
  const { span } = one;
  const name = tables.find((table) => table.table === span.table)?.name ?? span.table;
  return (
    <button type="button" class="line" aria-current={isChosen} data-testid={`found-${span.table}-${span.round}`} onClick={() => choose(span.table, span.round)}>
      <span class="line-head">
        <b>{texts.round(span.round)}</b> <span>{name}</span>
      </span>
      <span class="quiet">
        {moment(texts, span.at_wall_ns)} · <span class={one.ended === "settled" ? "" : "unusual"}>{texts.ended[one.ended] ?? one.ended}</span>
      </span>
      {one.noticed.length > 0 && (
        <span class="line-noticed">
          {one.noticed.map((noticed) => (
            <span key={`${noticed.sequence}`} class="tag">
              {texts.kindName(noticed.kind)}
            </span>
          ))}
        </span>
      )}
    </button>
  );
}

function query(asked: Conditions, after: Found["after"]): string {
  const parts = new URLSearchParams();
  const add = (name: string, value: string): void => {
    if (value !== "") parts.set(name, value);
  };
  add("table", asked.table);
  add("player", asked.player.trim());
  add("since", wallNs(asked.from));
  add("until", wallNs(asked.until));
  add("card", asked.rank + asked.suit);
  add("kind", asked.kind);
  add("incident", asked.incident);
  add("after", Object.entries(after ?? {}).map(([of, sequence]) => `${of}:${sequence}`).join(","));
  return parts.toString();
}

/** A local time of the form as wall nanoseconds: whole milliseconds are exact, their nanoseconds are written after. */
function wallNs(local: string): string {
  return local === "" ? "" : `${new Date(local).getTime()}000000`;
}
