import { type Redactor, redactedJson } from '../redact/redact.ts';
import type { WireTrace } from './wire.ts';

/** Traces that may wait for the event loop to be free; beyond, they are written at once, since they hold memory. */
const MAX_WAITING = 32;
/** After so long the host has its turn, between two steps of a trace if need be. Milliseconds. */
const SLICE_MS = 0.4;

/** Redacts finished traces and writes them as JSON, one after the other, a slice at a time, when the event loop is free. */
export class TraceWriter {
  readonly #redactor: Redactor;
  readonly #done: (json: string | undefined) => void;
  /** The first of them is the one being written. */
  #waiting: WireTrace[] = [];
  #written: Generator<undefined, string> | undefined;
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
    while (this.#waiting.length > MAX_WAITING) this.#write();
    this.#schedule();
  }

  /** Writes all that wait, now. */
  writeAll(): void {
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
    while (this.#waiting.length > 0) this.#write();
  }

  #schedule(): void {
    if (this.#immediate !== undefined || this.#waiting.length === 0) return;
    this.#immediate = setImmediate(() => {
      this.#immediate = undefined;
      const until = performance.now() + SLICE_MS;
      do this.#write();
      while (this.#waiting.length > 0 && performance.now() < until);
      if (this.#waiting.length === 0) return;
      this.#schedule();
      // An immediate that keeps no process alive does not keep an idle loop turning either; a timer does.
      setTimeout(() => {}, 1).unref();
    }).unref();
  }

  /** Goes on with the first trace, for one step of it. */
  #write(): void {
    const trace = this.#waiting[0];
    if (trace === undefined) return;
    let json: string | undefined;
    try {
      this.#written ??= redactedJson(trace, this.#redactor);
      const { done, value } = this.#written.next();
      if (done !== true) return;
      json = value;
    } catch {
      // The host has replaced something of the language that this needs.
    }
    this.#written = undefined;
    this.#waiting.shift();
    this.#done(json);
  }
}
