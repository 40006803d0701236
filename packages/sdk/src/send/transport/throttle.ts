import { backoffMs } from './backoff.ts';

/** With so many failures in a row the server is taken for gone. */
const GONE_AFTER = 3;
/** No request follows a failed one sooner. */
const MIN_MS = 100;
/** A wait that the server asked for is drawn out by up to this, so that processes do not come back together. */
const SPREAD_MS = 250;

/** When the next request may be made. Times are those of `performance.now()`. */
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

  /** The server takes nothing from this process. */
  get isRefused(): boolean {
    return this.#refused;
  }

  /** There is no point in holding up the end of the process. */
  get isHopeless(): boolean {
    return this.#refused || this.#failures >= GONE_AFTER;
  }

  /** A wait that another request was told to keep since stays. */
  succeeded(): void {
    this.#failures = 0;
    this.#refused = false;
  }

  /** Waits as long as the server asked, else longer after each failure. Requests that failed beside each other count as one. */
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
