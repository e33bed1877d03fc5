// One WebSocket to the server's feed: the newest whole view of one topic, and how far it can be trusted. The views of
// a second topic, which may come or not, are handed on as they are.
// A missed view costs nothing, because each one is whole. It knows nothing of what a view contains.

import { ServerClock } from "./clock";
import type { Frame } from "./types";

/** `live`: heartbeats come; `stale`: silent for more than two seconds; `offline`: no connection or no view on it. */
export type Connection = "live" | "stale" | "offline";

export interface FeedState<View> {
  connection: Connection;
  frame: Frame<View> | null;
  /** What the server said when it refused the token or the topic; empty otherwise. */
  refusal: string;
}

const STALE_AFTER_MS = 2000;
const HOPELESS_AFTER_MS = 6000;
const WATCH_EVERY_MS = 200;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 1500;
const WRONG_TOKEN = 4401;

export interface FeedOptions {
  address: string;
  token: string;
  topic: string;
  wrongToken: string;
  also?: { topic: string; take: (frame: Frame<unknown>) => void };
}

export class Feed<View> {
  readonly clock = new ServerClock();
  #options: FeedOptions;
  #listener: (state: FeedState<View>) => void;
  #state: FeedState<View> = { connection: "offline", frame: null, refusal: "" };
  #socket: WebSocket | null = null;
  #heardAt = 0;
  #viewOnThisConnection = false;
  #retryMs = FIRST_RETRY_MS;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval>;

  constructor(options: FeedOptions, listener: (state: FeedState<View>) => void) {
    this.#options = options;
    this.#listener = listener;
    this.#watch = setInterval(() => this.#judge(), WATCH_EVERY_MS);
    this.#connect();
  }

  /** Tell the server that the view of `sequence` is on the screen: it measures byte to paint. */
  painted(sequence: number): void {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ painted: { topic: this.#options.topic, sequence } }));
    }
  }

  close(): void {
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(this.#options.address);
    this.#socket = socket;
    this.#viewOnThisConnection = false;
    this.#heardAt = performance.now();
    socket.onopen = () => {
      socket.send(JSON.stringify({ token: this.#options.token }));
      const { topic, also } = this.#options;
      socket.send(JSON.stringify({ subscribe: also ? [topic, also.topic] : [topic] }));
    };
    socket.onmessage = (message) => {
      if (this.#socket === socket) this.#hear(JSON.parse(String(message.data)));
    };
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#lost(event.code);
    };
  }

  #hear(message: Record<string, unknown>): void {
    this.#heardAt = performance.now();
    if (typeof message.heartbeat === "number") {
      this.clock.hear(message.heartbeat);
      this.#judge();
    } else if (message.refused === this.#options.topic) {
      this.#set({ refusal: String(message.text ?? message.code ?? "") });
    } else if (message.topic === this.#options.topic && message.view) {
      this.#take(message as unknown as Frame<View>);
    } else if (message.topic === this.#options.also?.topic && message.view) {
      this.#options.also?.take(message as unknown as Frame<unknown>);
    }
  }

  #take(frame: Frame<View>): void {
    this.clock.hear(frame.server_wall_ns);
    this.#retryMs = FIRST_RETRY_MS;
    // Within a connection an older view is out of date; on a new one the server's word counts whatever was shown.
    const shown = this.#state.frame;
    if (this.#viewOnThisConnection && shown && frame.sequence < shown.sequence) return;
    this.#viewOnThisConnection = true;
    this.#set({ frame, connection: "live", refusal: "" });
  }

  #judge(): void {
    if (this.#socket === null) return;
    const silent = performance.now() - this.#heardAt;
    if (silent > HOPELESS_AFTER_MS) {
      // A half-open connection never closes by itself.
      this.#lost(0);
    } else if (this.#viewOnThisConnection) {
      this.#set({ connection: silent > STALE_AFTER_MS ? "stale" : "live" });
    }
  }

  #lost(code: number): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#set({ connection: "offline", refusal: code === WRONG_TOKEN ? this.#options.wrongToken : "" });
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #set(change: Partial<FeedState<View>>): void {
    const next = { ...this.#state, ...change };
    const same = (Object.keys(change) as (keyof FeedState<View>)[]).every((key) => next[key] === this.#state[key]);
    if (same) return;
    this.#state = next;
    this.#listener(next);
  }
}

/** The feed's address on the host that served the page. */
export function feedAddress(place: Location): string {
  return `${place.protocol === "https:" ? "wss" : "ws"}://${place.host}/v1/feed`;
}
