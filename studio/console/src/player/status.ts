// The one sentence that tells where the round stands for this player.

import { amount, signed } from "../shared/format";
import type { Connection } from "../shared/feed";
import type { PlayerTexts } from "./english";
import type { PlayerView, PublicView } from "./types";

export interface Status {
  tone: "calm" | "warn" | "won" | "lost";
  text: string;
}

export function statusOf(texts: PlayerTexts, table: PublicView, own: PlayerView, connection: Connection): Status {
  if (connection !== "live") return { tone: "warn", text: texts.offlineStatus };
  if (table.stopped) return { tone: "warn", text: texts.stoppedStatus };
  if (own.results.length > 0 && ["settlement", "idle", "closed"].includes(table.phase)) return resultOf(texts, own);
  if (own.questions.some((question) => question.kind === "decision")) return { tone: "calm", text: texts.questions.decision ?? "" };
  if (table.phase === "betting" && own.bets.length === 0) {
    if (table.layout === "shared-hand") return { tone: "calm", text: texts.betOnSharedHand };
    if (table.layout === "seats" && own.seats.length === 0) {
      return { tone: "calm", text: table.bet_behind ? texts.chooseSeat : texts.chooseSeatOnly };
    }
  }
  return { tone: "calm", text: texts.phases[table.phase] ?? table.phase };
}

function resultOf(texts: PlayerTexts, own: PlayerView): Status {
  const net = own.results.reduce((sum, result) => sum + result.returned - result.stake, 0);
  if (net > 0) return { tone: "won", text: texts.won(signed(net)) };
  if (net < 0) return { tone: "lost", text: texts.lost(amount(-net)) };
  return { tone: "calm", text: texts.even };
}
