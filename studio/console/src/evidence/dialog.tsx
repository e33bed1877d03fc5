// The dialogue in which something is written: a note, a dispute, the answer to one. It is recorded for ever, so it
// takes words and a press of its own; Escape leaves without a trace.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Arguments } from "../shared/types";
import type { EvidenceApi } from "./api";
import { useTexts } from "./language";

export type Writing =
  | { what: "note"; subject: "incident" | "round" | "dispute"; number: number; about: string }
  | { what: "dispute"; round: number; players: string[] }
  | { what: "answer"; dispute: number };

interface DialogProps {
  api: EvidenceApi;
  table: string;
  writing: Writing;
  close: () => void;
  wrote: () => void;
}

export function WriteDialog({ api, table, writing, close, wrote }: DialogProps) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [player, setPlayer] = useState(writing.what === "dispute" ? (writing.players[0] ?? "") : "");
  const [end, setEnd] = useState("declined");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Escape closes it by itself.
    opened?.addEventListener("close", close);
    return () => opened?.removeEventListener("close", close);
  }, []);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const answer = await api.send(table, ...asked(writing, text, player, end));
    setBusy(false);
    if (!answer.ok) {
      setRefusal(answer.refusal.text);
      return;
    }
    wrote();
    close();
  };
  const title = {
    note: () => texts.noteOn(writing.what === "note" ? writing.about : ""),
    dispute: () => texts.disputeOf(writing.what === "dispute" ? writing.round : 0),
    answer: () => texts.answerTo(writing.what === "answer" ? writing.dispute : 0),
  }[writing.what]();
  const label = { note: texts.noteHint, dispute: texts.playerSays, answer: texts.told }[writing.what];

  return (
    <dialog ref={dialog} aria-labelledby="writing-title" data-testid="dialog">
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="writing-title">{title}</h2>
        {writing.what === "dispute" && (
          <label>
            <span>{texts.choosePlayer}</span>
            <select value={player} data-testid="dispute-player" onChange={(event) => setPlayer(event.currentTarget.value)}>
              {writing.players.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {writing.what === "answer" && (
          <label>
            <span>{texts.answer}</span>
            <select value={end} data-testid="dispute-end" onChange={(event) => setEnd(event.currentTarget.value)}>
              {Object.entries(texts.ends).map(([value, word]) => (
                <option key={value} value={value}>
                  {word}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>{label}</span>
          <textarea rows={5} maxLength={1000} required value={text} data-testid="dialog-text" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        {refusal !== "" && (
          <p class="wrong" role="alert" data-testid="dialog-refusal">
            {texts.refused}. {refusal}
          </p>
        )}
        <div class="dialog-end">
          <button type="button" data-testid="dialog-cancel" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
          <button type="submit" class="go" data-testid="dialog-send" disabled={text.trim() === "" || (writing.what === "dispute" && player === "")}>
            {texts.send}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function asked(writing: Writing, text: string, player: string, end: string): [string, Arguments] {
  switch (writing.what) {
    case "note":
      return ["add-note", { subject: writing.subject, number: writing.number, text }];
    case "dispute":
      return ["open-dispute", { round: writing.round, player, text }];
    case "answer":
      return ["close-dispute", { dispute: writing.dispute, end, text }];
  }
}
