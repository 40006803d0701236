import { type Redactor, redactedJson } from '../redact/redact.ts';
import type { WireTrace } from './wire.ts';

/** Traces that may wait for the event loop to be free; beyond, they are written at once, since they hold memory. */
const MAX_WAITING = 32;

/** Redacts finished traces and writes them as JSON, one at a time, when the event loop is free. */
export class TraceWriter {
  readonly #redactor: Redactor;
  readonly #done: (json: string | undefined) => void;
  #waiting: WireTrace[] = [];
  #immediate: NodeJS.Immediate | undefined;

  /** `done` gets the JSON of each, in order; undefined for one that cannot be written. */
  constructor(redactor: Redactor, done: (json: string | undefined) => void) {
    this.#redactor = redactor;
    this.#done = done;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  add(trace: WireTrace): void {
    this.#waiting.push(trace);
    if (this.#waiting.length > MAX_WAITING) this.#writeOne();
    this.#schedule();
  }

  /** Writes all that wait, now. */
  writeAll(): void {
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
    while (this.#waiting.length > 0) this.#writeOne();
  }

  #schedule(): void {
    if (this.#immediate !== undefined || this.#waiting.length === 0) return;
    this.#immediate = setImmediate(() => {
      this.#immediate = undefined;
      this.#writeOne();
      this.#schedule();
    }).unref();
  }

  #writeOne(): void {
    const trace = this.#waiting.shift();
    if (trace === undefined) return;
    let json: string | undefined;
    try {
      json = redactedJson(trace, this.#redactor);
    } catch {
      // The host has replaced something of the language that this needs.
    }
    this.#done(json);
  }
}
