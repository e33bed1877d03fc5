// Which language the page speaks, kept on this device.

import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { english, type EvidenceTexts } from "./english";
import { french } from "./french";

const KEPT = "evidence-language";

export const Texts = createContext<EvidenceTexts>(english);

export const useTexts = (): EvidenceTexts => useContext(Texts);

/** The page's words and the switch to the other language; at first the one chosen here before, else the browser's. */
export function useLanguage(): [EvidenceTexts, () => void] {
  const [code, setCode] = useState(() => localStorage.getItem(KEPT) ?? navigator.language.slice(0, 2));
  const texts = code === "fr" ? french : english;
  useEffect(() => {
    document.documentElement.lang = texts.code;
    document.title = texts.title;
  }, [texts]);
  const toggle = (): void => {
    const other = texts === french ? "en" : "fr";
    localStorage.setItem(KEPT, other);
    setCode(other);
  };
  return [texts, toggle];
}

/** A moment in the browser's own time zone, to the millisecond where `exact`. */
export function moment(texts: EvidenceTexts, wallNs: number, exact = false): string {
  const at = new Date(wallNs / 1e6);
  const day = at.toLocaleDateString(texts.locale, { day: "2-digit", month: "2-digit", year: "numeric" });
  const time = at.toLocaleTimeString(texts.locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: exact ? 3 : undefined });
  return exact ? time : `${day} ${time}`;
}
