// The server's time on this screen. It is counted from server stamps by the browser's monotonic clock, so neither
// a wrong client clock nor one that jumps changes what is shown (consoles.md D10).

const SAMPLES = 8;
const NS_PER_MS = 1e6;

export class ServerClock {
  #offsets: number[] = [];

  /** Take in a stamp that just arrived. */
  hear(serverWallNs: number): void {
    this.#offsets.push(serverWallNs / NS_PER_MS - performance.now());
    if (this.#offsets.length > SAMPLES) this.#offsets.shift();
  }

  /** Milliseconds of the server's wall clock now; `null` before the first stamp. */
  nowMs(): number | null {
    // A stamp that travelled long gives too small an offset: the largest of the last few is the nearest.
    return this.#offsets.length === 0 ? null : performance.now() + Math.max(...this.#offsets);
  }

  /** Seconds from now until `wallNs`, negative once it has passed; `null` while the server's time is unknown. */
  secondsUntil(wallNs: number): number | null {
    const now = this.nowMs();
    return now === null ? null : (wallNs / NS_PER_MS - now) / 1000;
  }

  secondsSince(wallNs: number): number | null {
    const until = this.secondsUntil(wallNs);
    return until === null ? null : -until;
  }
}
