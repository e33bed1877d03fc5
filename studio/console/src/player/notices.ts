// What the table tells a player of rulings: corrections, dead hands, voids, revisions; each once, with the money it
// moved for them.

import { useEffect, useRef } from "preact/hooks";
import { signed } from "../shared/format";
import type { PlayerTexts } from "./english";
import type { Notes } from "./notes";
import type { PlayerView } from "./types";

/** Put each new ruling among the notes; also after a reload, while the server still tells it. */
export function useNotices(own: PlayerView, notes: Notes, texts: PlayerTexts): void {
  const told = useRef(0);
  const newest = Math.max(0, ...own.notices.map((one) => one.number));
  useEffect(() => {
    for (const { number, message, amount } of own.notices) {
      const say = texts.notices[message.key];
      if (number <= told.current || say === undefined) continue;
      const words = say(message.parameters.round ?? "");
      notes.add("warn", amount === 0 ? words : `${words} ${signed(amount)}`);
    }
    told.current = Math.max(told.current, newest);
  }, [newest]);
}
