// Reading the evidence, and the few commands of this page. A failed reading says why, in the server's own words.

import { TableApi, type Answer } from "../shared/api";
import { consoleAddress } from "../shared/link";
import type { Arguments } from "../shared/types";

export type Read<Body> = { ok: true; body: Body } | { ok: false; code: string; text: string };

const ANSWER_WITHIN_MS = 30_000;

export class EvidenceApi {
  #token: string;
  #noAnswer: string;

  /** `noAnswer` is what the person reads when the server does not answer at all. */
  constructor(token: string, noAnswer: string) {
    this.#token = token;
    this.#noAnswer = noAnswer;
  }

  async read<Body>(path: string): Promise<Read<Body>> {
    const response = await this.#fetch(path);
    if (response === null) return { ok: false, code: "no-answer", text: this.#noAnswer };
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    if (response.ok) return { ok: true, body: body as Body };
    const code = String(body.code ?? `http-${response.status}`);
    return { ok: false, code, text: String(body.text ?? code) };
  }

  /** Let the browser save a file as it came, byte for byte; return why not, or nothing. */
  async save(path: string, name: string): Promise<string> {
    const response = await this.#fetch(path);
    if (response === null || !response.ok) return this.#noAnswer;
    const address = URL.createObjectURL(await response.blob());
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    URL.revokeObjectURL(address);
    return "";
  }

  /** Where a supervisor revises a settled round. */
  revision(table: string, round: number): string {
    return `${consoleAddress("supervisor", { table, token: this.#token })}&revise=${round}`;
  }

  send(table: string, command: string, args: Arguments): Promise<Answer> {
    return new TableApi(table, this.#token, this.#noAnswer).send({ command, arguments: args });
  }

  async #fetch(path: string): Promise<Response | null> {
    const headers = { Authorization: `Bearer ${this.#token}` };
    try {
      return await fetch(`/v1/${path}`, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    } catch {
      return null;
    }
  }
}

export const tablePath = (table: string): string => `tables/${encodeURIComponent(table)}`;
