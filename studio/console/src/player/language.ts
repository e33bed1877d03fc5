// Which language the page speaks, kept on this device, and the words that depend on the game.

import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { english, type PlayerTexts } from "./english";
import { french } from "./french";

const KEPT = "player-language";

const LANGUAGES: Record<string, PlayerTexts> = { en: english, fr: french };

export const Texts = createContext<PlayerTexts>(english);

export const useTexts = (): PlayerTexts => useContext(Texts);

/** The language at the start: the one chosen here before, else the browser's, else English. */
export function firstLanguage(): PlayerTexts {
  const kept = localStorage.getItem(KEPT) ?? navigator.language.slice(0, 2);
  return LANGUAGES[kept] ?? english;
}

/** The page's words and the switch to the other language. */
export function useLanguage(): [PlayerTexts, () => void] {
  const [texts, setTexts] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = texts.code;
  }, [texts]);
  const toggle = (): void => {
    const other = LANGUAGES[texts.otherCode] ?? english;
    localStorage.setItem(KEPT, other.code);
    setTexts(other);
  };
  return [texts, toggle];
}

/** The word of an action on a button of this game. */
export function actionWord(texts: PlayerTexts, variant: string, action: string): string {
  if (action === "draw-to-11") return texts.notes.drawsTo11;
  return texts.actionsOf[variant]?.[action] ?? texts.actions[action] ?? action;
}

/** A total as said in this language; the view says it in English, such as `soft 13 (13/23)`. */
export function totalWord(texts: PlayerTexts, total: string): string {
  return total.replace("soft", texts.soft);
}
