// What happened while this page did not see it: decisions made without a connection, and rounds that were voided.

import { useEffect, useRef } from "preact/hooks";
import type { Connection } from "../shared/feed";
import type { PlayerTexts } from "./english";
import { decisionWords, readHistory } from "./history";
import type { Notes } from "./notes";
import type { PlayerTable } from "./table";
import type { PlayerView, PublicView } from "./types";

const RESTING = ["idle", "closed"];

export function useMemory(play: PlayerTable, table: PublicView, own: PlayerView, connection: Connection, notes: Notes, texts: PlayerTexts): void {
  const lostAt = useRef<number | null>(null);
  const betIn = useRef(0);

  useEffect(() => {
    if (connection === "offline") {
      lostAt.current ??= table.round;
    } else if (connection === "live" && lostAt.current !== null) {
      const round = lostAt.current;
      lostAt.current = null;
      notes.add("good", texts.notes.back);
      void readHistory(play.api, 1).then((read) => {
        const decisions = read?.[0]?.round === round ? read[0].decisions : [];
        if (decisions.length > 0) {
          const said = decisions.map((one) => decisionWords(texts, table, one)).join(" · ");
          notes.add("warn", texts.notes.decidedMeanwhile(said));
        }
      });
    }
  }, [connection]);

  useEffect(() => {
    if (own.bets.length > 0 && !RESTING.includes(table.phase)) betIn.current = table.round;
    if (betIn.current === 0 || !RESTING.includes(table.phase)) return;
    const round = betIn.current;
    betIn.current = 0;
    if (own.results.length > 0) return;
    void readHistory(play.api, 1).then((read) => {
      if (read?.[0]?.round === round && read[0].ended === "voided") notes.add("warn", texts.notes.roundVoid(round));
    });
  }, [table.phase, table.round, own.bets]);
}
