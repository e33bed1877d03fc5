// The evidence page: past rounds are found on the left, stepped through in the middle, and what was written about
// them stands on the right (consoles.md S9, S10). It holds no truth of its own: everything comes from the server.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { EvidenceApi, tablePath } from "./api";
import { Texts, useLanguage } from "./language";
import { Beside } from "./records";
import { RoundStage } from "./round";
import { SearchPanel } from "./search";
import type { Me, Replay, TableLine } from "./types";

const WRITERS = ["supervisor", "manager"];

export function EvidencePage({ token, table }: { token: string; table: string }) {
  const [texts, toggle] = useLanguage();
  const api = useMemo(() => new EvidenceApi(token, texts.noAnswer), [token, texts]);
  const [me, setMe] = useState<Me | null>(null);
  const [tables, setTables] = useState<TableLine[]>([]);
  const [refusal, setRefusal] = useState("");

  useEffect(() => {
    if (token === "") return;
    void Promise.all([api.read<Me>("me"), api.read<TableLine[]>("tables"), api.read("evidence/kinds")]).then(([who, lines, allowed]) => {
      const failed = [who, lines, allowed].find((one) => !one.ok);
      if (failed && !failed.ok) setRefusal(failed.text);
      else if (who.ok && lines.ok) {
        setTables(lines.body);
        setMe(who.body);
      }
    });
  }, [token]);

  if (token === "") return <Notice title={texts.noLink} detail={texts.noLinkDetail} />;
  if (refusal !== "") return <Notice title={texts.notForYou} detail={refusal} />;
  if (me === null) return <Notice title={texts.connecting} detail="" />;
  return (
    <Texts.Provider value={texts}>
      <main class="evidence-page">
        <header class="top">
          <h1>{texts.title}</h1>
          <span class="who-am-i" data-testid="me">
            {me.name}
          </span>
          {tables.some((one) => one.simulated) && (
            <span class="watermark" data-testid="watermark">
              {texts.simulation}
            </span>
          )}
          <button type="button" class="language" data-testid="language" onClick={toggle}>
            {texts.otherLanguage}
          </button>
        </header>
        <Work api={api} tables={tables} table={table} mayWrite={me.roles.some((role) => WRITERS.includes(role))} />
      </main>
    </Texts.Provider>
  );
}

interface WorkProps {
  api: EvidenceApi;
  tables: TableLine[];
  /** The table that the search begins with; empty for all. */
  table: string;
  mayWrite: boolean;
}

function Work({ api, tables, table, mayWrite }: WorkProps) {
  const [chosen, setChosen] = useState<{ table: string; round: number } | null>(null);
  const [replay, setReplay] = useState<Replay | null>(null);
  const [failed, setFailed] = useState("");
  const [written, setWritten] = useState(0);
  const newest = useRef(0);

  useEffect(() => {
    if (chosen === null) return;
    const asked = ++newest.current;
    setFailed("");
    void api.read<Replay>(`${tablePath(chosen.table)}/rounds/${chosen.round}/replay`).then((read) => {
      if (asked !== newest.current) return;
      if (read.ok) setReplay(read.body);
      else setFailed(read.text);
    });
  }, [chosen, written, api]);

  const choose = (of: string, round: number): void => {
    setReplay((shown) => (shown?.table === of && shown.round === round ? shown : null));
    setChosen({ table: of, round });
  };
  const names = Object.fromEntries(tables.map((one) => [one.table, one.name]));
  return (
    <div class="work">
      <SearchPanel api={api} tables={tables} table={table} chosen={chosen} choose={choose} />
      <RoundStage key={replay ? `${replay.table}/${replay.round}` : "none"} replay={replay} tableName={names[replay?.table ?? ""] ?? ""} waiting={chosen !== null && failed === ""} failed={failed} />
      {replay && <Beside api={api} replay={replay} mayWrite={mayWrite} wrote={() => setWritten((count) => count + 1)} />}
    </div>
  );
}

function Notice({ title, detail }: { title: string; detail: string }) {
  return (
    <main class="notice">
      <h1 class="instruction" role="status" data-testid="notice">
        {title}
      </h1>
      <p>{detail}</p>
    </main>
  );
}
