import { common } from "./catalog";
import { words } from "./format";

/** `seat3.hand1`, `dealer` or `burned` as people say it; a seat's only hand without its number. */
export function placeName(what: string): string {
  const seat = /^seat(\d+)\.hand(\d+)$/.exec(what);
  if (seat) return common.seat(Number(seat[1])) + (seat[2] === "1" ? "" : `, ${common.handNumber(Number(seat[2]))}`);
  return what === "dealer" ? common.dealerHand : words(what);
}
