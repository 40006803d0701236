import { backoffMs } from './backoff.ts';

/** After this many consecutive failures, the server counts as unreachable. */
const GONE_AFTER = 3;
/** Minimum wait after a failed request. */
const MIN_MS = 100;
/** Largest random addition to a wait that the server requested, so that processes do not retry together. */
const SPREAD_MS = 250;

/** Decides when the next request is allowed. Times are those of `performance.now()`. */
export class Throttle {
  readonly #probeMs: number;
  #failures = 0;
  #refused = false;
  #pausedUntil = 0;

  constructor(probeMs: number) {
    this.#probeMs = probeMs;
  }

  get failures(): number {
    return this.#failures;
  }

  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** True if the server refuses all traces of this process. */
  get isRefused(): boolean {
    return this.#refused;
  }

  /** True if delaying the end of the process would not deliver any traces. */
  get isHopeless(): boolean {
    return this.#refused || this.#failures >= GONE_AFTER;
  }

  /** Resets the failures. A wait that a concurrent request caused stays in effect. */
  succeeded(): void {
    this.#failures = 0;
    this.#refused = false;
  }

  /** Waits as long as the server requested, otherwise longer after each failure. Concurrent failed requests count as one failure. */
  failed(now: number, askedMs: number | undefined): void {
    if (now >= this.#pausedUntil) this.#failures++;
    const wait =
      askedMs === undefined
        ? backoffMs(Math.max(1, this.#failures), Math.random)
        : Math.max(MIN_MS, askedMs) + Math.random() * SPREAD_MS;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + wait);
  }

  refused(now: number): void {
    this.#refused = true;
    this.#pausedUntil = now + this.#probeMs;
  }
}
