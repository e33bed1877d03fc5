// What was written about a round: its records with their files, disputes, notes, and who played (consoles.md S9).

import { useEffect, useState } from "preact/hooks";
import { amount, signed, words } from "../shared/format";
import { tablePath, type EvidenceApi } from "./api";
import { WriteDialog, type Writing } from "./dialog";
import { moment, useTexts } from "./language";
import type { Note, Noticed, RecordFile, Replay, VideoSpan } from "./types";

interface BesideProps {
  api: EvidenceApi;
  replay: Replay;
  mayWrite: boolean;
  /** Something was written: what is shown is read again. */
  wrote: () => void;
}

export function Beside({ api, replay, mayWrite, wrote }: BesideProps) {
  const texts = useTexts();
  const [writing, setWriting] = useState<Writing | null>(null);
  return (
    <aside class="beside" aria-label={texts.records}>
      <h2>{texts.records}</h2>
      {replay.noticed.length === 0 && (
        <p class="quiet" data-testid="no-records">
          {texts.noRecords}
        </p>
      )}
      {replay.noticed.map((one) => (
        <RecordCard key={one.sequence} api={api} replay={replay} noticed={one} mayWrite={mayWrite} write={setWriting} />
      ))}
      {mayWrite && (
        <div class="beside-buttons">
          <button type="button" data-testid="open-dispute" disabled={replay.round === 0} onClick={() => setWriting({ what: "dispute", round: replay.round, players: replay.players.map((one) => one.player) })}>
            {texts.openDispute}
          </button>
          {replay.ended === "settled" && (
            <a href={api.revision(replay.table, replay.round)} target="_blank" rel="noreferrer" data-testid="revise">
              {texts.revise}
            </a>
          )}
        </div>
      )}
      <h2>{texts.notes}</h2>
      {replay.notes.length === 0 && <p class="quiet">{texts.noNotes}</p>}
      <Notes notes={replay.notes} />
      {mayWrite && (
        <div class="beside-buttons">
          <button type="button" data-testid="note-round" disabled={replay.round === 0} onClick={() => setWriting({ what: "note", subject: "round", number: replay.round, about: texts.round(replay.round) })}>
            {texts.addNote}
          </button>
        </div>
      )}
      <h2>{texts.players}</h2>
      <ul class="stakes" data-testid="players">
        {replay.players.map((one) => (
          <li key={one.player}>
            <span>{one.player}</span>
            <span class="quiet">
              {texts.staked} {amount(one.staked)} · {texts.back} {amount(one.returned)}
            </span>
          </li>
        ))}
      </ul>
      {writing && <WriteDialog api={api} table={replay.table} writing={writing} close={() => setWriting(null)} wrote={wrote} />}
    </aside>
  );
}

interface CardProps {
  api: EvidenceApi;
  replay: Replay;
  noticed: Noticed;
  mayWrite: boolean;
  write: (writing: Writing) => void;
}

function RecordCard({ api, replay, noticed, mayWrite, write }: CardProps) {
  const texts = useTexts();
  const [file, setFile] = useState<RecordFile | null>(null);
  const [failed, setFailed] = useState("");
  const path = `${tablePath(replay.table)}/records/${noticed.sequence}`;
  useEffect(() => {
    void api.read<RecordFile>(path).then((read) => (read.ok ? setFile(read.body) : setFailed(read.text)));
  }, [path, replay]);
  const name = `record-${replay.table}-${noticed.sequence}`;
  const save = (suffix: string, ending: string) => async (): Promise<void> => setFailed(await api.save(path + suffix, name + ending));
  const kind = noticed.kind === "dispute" ? "dispute" : "incident";
  const record = file?.record;
  return (
    <article class="record" data-testid={`record-${noticed.sequence}`}>
      <h3>
        {texts.kindName(noticed.kind)}
        {noticed.number > 0 && <span class="quiet"> {noticed.number}</span>}
      </h3>
      {record && (
        <>
          <p>{record.happened}</p>
          {record.detail !== "" && <p class="quiet">{record.detail}</p>}
          <p class="tags">
            {record.classes.map((one) => (
              <span key={one} class="tag">
                {texts.classes[one] ?? one}
              </span>
            ))}
          </p>
          <p class={record.closed_wall_ns === null ? "unusual" : ""} data-testid="record-end">
            {record.closed_wall_ns === null ? texts.stillOpen : texts.closedAs(texts.ends[record.way_out] ?? words(record.way_out), record.reason === record.way_out ? "" : words(record.reason))}
            {record.text !== "" && <span class="said">{record.text}</span>}
          </p>
          <p class="quiet">
            {record.actors.map((one) => texts.by(one.name, one.role)).join(", ")} · {texts.eventsFrom(record.first, record.last)}
            {record.players_delta !== 0 && ` · ${texts.playersGot(`${signed(record.players_delta)} ${record.currency}`)}`}
          </p>
          <p class="quiet">{record.clauses.join(", ")}</p>
          <p data-testid="video">
            {texts.video} <code>{videoSpan(record.video)}</code> <span class="quiet">{texts.frames(record.video.frames_per_second)}</span>
          </p>
          <details class="record-events">
            <summary data-testid="record-events">{texts.eventsWithVideo(record.events.length)}</summary>
            <ol>
              {record.events.map((one) => (
                <li key={one.sequence}>
                  <code>{one.timecode}</code> {texts.eventName(one.name)} <span class="quiet">#{one.sequence}</span>
                </li>
              ))}
            </ol>
          </details>
          <Notes notes={record.notes} />
          <p class="hash quiet" title={file.sha256}>
            {texts.hash} <code>{file.sha256.slice(0, 16)}…</code>
          </p>
        </>
      )}
      {failed !== "" && <p class="wrong">{failed}</p>}
      <div class="record-buttons">
        <button type="button" data-testid="save-pdf" onClick={() => void save("/pdf", ".pdf")()}>
          {texts.savePdf}
        </button>
        <button type="button" data-testid="save-json" onClick={() => void save("", ".json")()}>
          {texts.saveJson}
        </button>
        {mayWrite && noticed.number > 0 && (
          <button type="button" data-testid="note-record" onClick={() => write({ what: "note", subject: kind, number: noticed.number, about: texts.kindName(noticed.kind) })}>
            {texts.addNote}
          </button>
        )}
        {mayWrite && kind === "dispute" && record?.closed_wall_ns === null && (
          <button type="button" data-testid="close-dispute" onClick={() => write({ what: "answer", dispute: noticed.number })}>
            {texts.closeDispute}
          </button>
        )}
      </div>
    </article>
  );
}

function videoSpan(video: VideoSpan): string {
  const last = video.last_day === video.first_day ? video.last : `${video.last_day} ${video.last}`;
  return `${video.first_day} ${video.first} – ${last}`;
}

function Notes({ notes }: { notes: Note[] }) {
  const texts = useTexts();
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note.sequence}>
          <span class="quiet">
            {moment(texts, note.at_wall_ns)} · {note.by.name}
          </span>
          {note.text}
        </li>
      ))}
    </ul>
  );
}
