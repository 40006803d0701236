import type { CutReason } from '@throughline/contract/values';
import { type Fragment, fragment, JsonWriter } from '../writer/json-writer.ts';
import { takeWriter } from '../writer/writer-pool.ts';
import { label } from './text.ts';

/** No marker takes more bytes of JSON: nothing is visited with less room than this, so there is always room to say that it was cut. */
export const MARKER_BYTES = 128;
/** Kept for each object that is open: what closes it. */
const CLOSING_BYTES = 32;

const cutStart = fragment('{"$type":"cut","of":');
const sizeMember = fragment(',"size":');
const reasons: { readonly [R in CutReason]: Fragment } = {
  depth: fragment(',"reason":"depth"},'),
  bytes: fragment(',"reason":"bytes"},'),
  items: fragment(',"reason":"items"},'),
};

/** Replaces the buffer of a finished recording. A capture that was under way then ends in it. */
const released = new JsonWriter(0);

/** The text of a request's values, the bytes of it that they may take, step by step, and the count of what did not fit. */
export class SnapshotBudget {
  writer: JsonWriter = takeWriter();
  cutValues = 0;
  /** Hidden, as far as it is known without reading it: characters of strings, bytes of binary data. */
  cutBytes = 0;
  #started = 0;
  /** Where the text of the current moment must end, but for what closes the objects that are open. */
  stop = 0;
  #requestLeft: number;

  constructor(requestBytes: number) {
    this.#requestLeft = requestBytes;
  }

  /** Hands over the buffer, which a socket or timer of the request would keep in memory otherwise; null once it was handed over. */
  releaseWriter(): JsonWriter | null {
    const { writer } = this;
    if (writer === released) return null;
    released.end = 0;
    this.writer = released;
    return writer;
  }

  /** Written since the last grant. */
  get spent(): number {
    return this.writer.end - this.#started;
  }

  get left(): number {
    return this.stop - this.writer.end;
  }

  /** Opens a new moment, which may take `bytes`, or what the request has left. */
  grant(bytes: number): void {
    this.#requestLeft -= this.spent;
    this.#started = this.writer.end;
    this.stop = this.#started + Math.max(0, Math.min(bytes, this.#requestLeft));
  }

  /** The next text is a copy of an earlier one and costs nothing. */
  allow(bytes: number): void {
    this.#started += bytes;
    this.stop += bytes;
  }

  /** Counts what will stand elsewhere as if it were written here. */
  charge(bytes: number): void {
    this.allow(-bytes);
  }

  /** True if `bytes` and a marker fit. */
  hasRoom(bytes: number): boolean {
    return this.stop - this.writer.end >= bytes + MARKER_BYTES;
  }

  /** Keeps room for what closes an object, and for whatever else `bytes` says. */
  open(bytes = CLOSING_BYTES): void {
    this.stop -= bytes;
  }

  close(bytes = CLOSING_BYTES): void {
    this.stop += bytes;
  }

  /** Counts a value that is shown in part. */
  noteCut(hidden = 0): void {
    this.cutValues++;
    this.cutBytes += hidden;
  }

  /** Writes the marker of something not shown; `hidden` is its size in characters or bytes where that is known. */
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
