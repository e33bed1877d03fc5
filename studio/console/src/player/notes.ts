// What the player must notice: answers to bets, refusals, defaults that were applied. Each stays until closed, until
// newer ones push it out, or until the next round's bets.

import { useCallback, useState } from "preact/hooks";

export interface Note {
  id: number;
  tone: "good" | "warn";
  text: string;
}

const AT_MOST = 4;

export interface Notes {
  notes: Note[];
  add: (tone: Note["tone"], ...texts: string[]) => void;
  close: (id: number) => void;
  clear: () => void;
}

let last = 0;

export function useNotes(): Notes {
  const [notes, setNotes] = useState<Note[]>([]);
  const add = useCallback((tone: Note["tone"], ...texts: string[]): void => {
    setNotes((shown) => [...shown, ...texts.map((text) => ({ id: ++last, tone, text }))].slice(-AT_MOST));
  }, []);
  const close = useCallback((id: number): void => setNotes((shown) => shown.filter((note) => note.id !== id)), []);
  const clear = useCallback((): void => setNotes([]), []);
  return { notes, add, close, clear };
}
