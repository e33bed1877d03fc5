// Commands to one table. Each intent of a person has one Idempotency-Key, so that a repeat on a bad line is the
// same command. It knows nothing of what a command does.

import type { Arguments } from "./types";

export interface Refusal {
  status: number;
  code: string;
  text: string;
  /** With the code `stale-view`: the table's sequence now, and the names of the events since. */
  sequence: number | null;
  changed: string[];
}

export type Answer = { ok: true; sequence: number; body: Record<string, unknown> } | { ok: false; refusal: Refusal };

export interface Intent {
  command: string;
  arguments: Arguments;
  seenSequence?: number;
}

const RETRY_AFTER_MS = [200, 600, 1500];
const ANSWER_WITHIN_MS = 4000;

/** A fresh key; also on pages that are not a secure context, where `randomUUID` is missing. */
export function newKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class TableApi {
  #table: string;
  #token: string;
  #noAnswer: string;

  /** `noAnswer` is what the person reads when the server does not answer at all. */
  constructor(table: string, token: string, noAnswer: string) {
    this.#table = `/v1/tables/${encodeURIComponent(table)}`;
    this.#token = token;
    this.#noAnswer = noAnswer;
  }

  /** Send one intent of a dealer or supervisor. */
  async send(intent: Intent): Promise<Answer> {
    const body: Record<string, unknown> = { command: intent.command, arguments: intent.arguments };
    if (intent.seenSequence !== undefined) body.seen_sequence = intent.seenSequence;
    return this.post("commands", body);
  }

  /** Ask what an intent would do now; nothing happens. */
  async preview(intent: Intent): Promise<Answer> {
    return this.post("previews", { command: intent.command, arguments: intent.arguments });
  }

  /** Read something of the table; `null` when there is no answer or a refusal. */
  async get(path: string): Promise<Record<string, unknown> | null> {
    return getDocument<Record<string, unknown>>(`${this.#table}/${path}`, this.#token);
  }

  /**
   * Send one intent to a path of the table; what gets no answer within `withinMs` is tried again with the same key, an
   * answer never is.
   */
  async post(path: string, body: Record<string, unknown>, withinMs = ANSWER_WITHIN_MS): Promise<Answer> {
    const request: RequestInit = {
      method: "POST",
      headers: {
        Authorization: `Bearer ${this.#token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": newKey(),
      },
      body: JSON.stringify(body),
    };
    for (const wait of [...RETRY_AFTER_MS, null]) {
      try {
        return await read(await fetch(`${this.#table}/${path}`, { ...request, signal: AbortSignal.timeout(withinMs) }));
      } catch {
        if (wait !== null) await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    return { ok: false, refusal: { status: 0, code: "no-answer", text: this.#noAnswer, sequence: null, changed: [] } };
  }
}

/** Read something of the API; `null` when there is no answer or a refusal. */
export async function getDocument<Body>(path: string, token: string): Promise<Body | null> {
  const answer = await getAnswer(path, token);
  return answer?.ok ? (answer.body as Body) : null;
}

/** Read something of the API, or why it is refused; `null` when there is no answer. */
export async function getAnswer(path: string, token: string): Promise<Answer | null> {
  try {
    const request = { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
    return await read(await fetch(path, request));
  } catch {
    return null;
  }
}

/** Read a picture of the API as an address for an image; `null` when there is none, or it is withheld. */
export async function getPicture(path: string, token: string): Promise<string | null> {
  try {
    const request = { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
    const response = await fetch(path, request);
    return response.ok ? await asDataAddress(await response.blob()) : null;
  } catch {
    return null;
  }
}

function asDataAddress(blob: Blob): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : null);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(blob);
  });
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not ours, such as a proxy's page: the status says it all.
  }
  const sequence = typeof body.sequence === "number" ? body.sequence : null;
  if (response.ok) return { ok: true, sequence: sequence ?? 0, body };
  const code = String(body.code ?? `http-${response.status}`);
  const changed = Array.isArray(body.changed) ? body.changed.map(String) : [];
  return { ok: false, refusal: { status: response.status, code, text: String(body.text ?? code), sequence, changed } };
}
