import { computeBackoff } from './backoff.ts';

/** Number of consecutive failures after which the server counts as unreachable. */
const GONE_AFTER = 3;
/** Minimum wait in ms, even if the server requests a shorter one. */
const MIN_MS = 100;
/** Maximum of the random time added to a wait that the server requested, in ms, so that processes do not retry together. */
const SPREAD_MS = 250;

/** Decides when the next request is allowed. Times are values of `performance.now()`. */
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

  /** True if waiting longer at the end of the process would deliver no traces: the server refuses them or is unreachable. */
  get isHopeless(): boolean {
    return this.#refused || this.#failures >= GONE_AFTER;
  }

  /** Resets the number of failures. If a concurrent request caused a wait, the wait stays in effect. */
  succeeded(): void {
    this.#failures = 0;
    this.#refused = false;
  }

  /**
   * Starts a wait. Its length is the one that the server requested; if the server requested none, the wait grows with each failure.
   * Concurrent requests that fail count as one failure.
   */
  failed(now: number, askedMs: number | undefined): void {
    if (now >= this.#pausedUntil) this.#failures++;
    const wait =
      askedMs === undefined
        ? computeBackoff(Math.max(1, this.#failures), Math.random)
        : Math.max(MIN_MS, askedMs) + Math.random() * SPREAD_MS;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + wait);
  }

  refused(now: number): void {
    this.#refused = true;
    this.#pausedUntil = now + this.#probeMs;
  }
}
