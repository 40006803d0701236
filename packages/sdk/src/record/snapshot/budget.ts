import type { CutReason } from '@throughline/contract/values';
import { buildFragment, type Fragment, JsonWriter } from '../writer/json-writer.ts';
import { takeWriter } from '../writer/writer-pool.ts';
import { label } from './text.ts';

/**
 * Maximum size of a marker, in bytes of JSON. No value is captured if less space is left, so there is always space for the marker of a cut.
 */
export const MARKER_BYTES = 128;
/** Number of bytes reserved for each open object, for the characters that close it. */
const CLOSING_BYTES = 32;

const cutStart = buildFragment('{"$type":"cut","of":');
const sizeMember = buildFragment(',"size":');
const reasons: { readonly [R in CutReason]: Fragment } = {
  depth: buildFragment(',"reason":"depth"},'),
  bytes: buildFragment(',"reason":"bytes"},'),
  items: buildFragment(',"reason":"items"},'),
  budget: buildFragment(',"reason":"budget"},'),
};

/** Replaces a writer that {@link SnapshotBudget.releaseWriter} returned. */
const released = new JsonWriter(0);

/**
 * Contains the JSON of a request's values. Limits the bytes of this JSON per step and per request, and counts the values that did not fit.
 */
export class SnapshotBudget {
  writer: JsonWriter = takeWriter();
  cutValues = 0;
  /** Total size of the cut data, as far as the sizes are known without reading the data: characters of strings, bytes of binary data. */
  cutBytes = 0;
  #started = 0;
  /** Position in the buffer at which the current capture must end. Excludes the bytes that are reserved to close open objects. */
  stop = 0;
  #requestLeft: number;
  /** Bytes of the request that are reserved for errors and for the values of failed steps. */
  #reserved: number;
  /** Bytes that the current capture was to write, bytes that it was granted, and reserved bytes that it was lent in addition. */
  #wanted = 0;
  #granted = 0;
  #lent = 0;

  constructor(requestBytes: number) {
    this.#reserved = requestBytes >> 4;
    this.#requestLeft = requestBytes - this.#reserved;
  }

  /**
   * Returns the writer and drops the reference to it, because a socket or timer of the request can reference this object for a long time.
   * Later calls return null.
   */
  releaseWriter(): JsonWriter | null {
    const { writer } = this;
    if (writer === released) return null;
    released.end = 0;
    this.writer = released;
    return writer;
  }

  /** Bytes written since the last call of {@link grant}. */
  get spent(): number {
    return this.writer.end - this.#started;
  }

  get left(): number {
    return this.stop - this.writer.end;
  }

  /**
   * Starts a capture that can write `bytes`, or the number of bytes left for the request if that is smaller. Markers that the last capture
   * wrote after its bytes were used up do not count.
   */
  grant(bytes: number): void {
    const { spent } = this;
    const own = Math.min(spent, this.#granted);
    this.#requestLeft -= own;
    this.#reserved -= Math.min(spent - own, this.#lent);
    this.#wanted = bytes;
    this.#granted = Math.max(0, Math.min(bytes, this.#requestLeft));
    this.#lent = 0;
    this.#started = this.writer.end;
    this.stop = this.#started + this.#granted;
  }

  /**
   * Lets the current capture write up to `bytes` reserved bytes, but at most a quarter of them, so that some are left for the callers of a
   * failed step.
   */
  lend(bytes = this.#reserved): void {
    const { end } = this.writer;
    const lent = Math.min(bytes, this.#reserved >> 2, this.#started + this.#wanted - end);
    if (end + lent <= this.stop) return;
    this.#lent += lent;
    this.stop = end + lent;
  }

  /** Excludes the next `bytes` from the budget, because they copy JSON that was written earlier. */
  allow(bytes: number): void {
    this.#started += bytes;
    this.stop += bytes;
  }

  /** Counts bytes that are written elsewhere as if they were written here. */
  charge(bytes: number): void {
    this.allow(-bytes);
  }

  /** True if `bytes` and a marker still fit. */
  hasRoom(bytes: number): boolean {
    return this.stop - this.writer.end >= bytes + MARKER_BYTES;
  }

  /** Reserves `bytes` bytes, by default the bytes that close an object. */
  open(bytes = CLOSING_BYTES): void {
    this.stop -= bytes;
  }

  close(bytes = CLOSING_BYTES): void {
    this.stop += bytes;
  }

  /** Counts a value that is cut. `hidden` is the size of the part left out. */
  noteCut(hidden = 0): void {
    this.cutValues++;
    this.cutBytes += hidden;
  }

  /**
   * Writes the marker of a value that is not shown. The marker contains `size`, if given. `hidden` is the value's size in characters or
   * bytes; 0 if it is unknown.
   */
  cut(of: string, reason: CutReason, size?: number, hidden = 0): void {
    this.noteCut(hidden);
    const { writer } = this;
    writer.fragment(cutStart);
    writer.string(label(of));
    if (size !== undefined) {
      writer.fragment(sizeMember);
      writer.number(size);
    }
    writer.fragment(reasons[reason]);
  }
}
