import { entryCall } from '../internal/runtime-name.ts';

/** Minimum length of an insertion that contains a function's entry call, in characters. */
const MIN_ENTRY_LENGTH = 40;

/** The insertions into a source that was not changed. */
export const NO_INSERTIONS = new Uint8Array();

/**
 * Encodes the insertions into a source in few bytes. For each insertion: the distance from the previous one, then the length with a bit
 * that marks an entry call. For an entry call, two numbers follow: the function's number, counted from the first function of the source,
 * and the offset of the call in the insertion.
 */
export class InsertionWriter {
  readonly #firstSite: number;
  #bytes = new Uint8Array(256);
  #length = 0;
  #last = 0;

  constructor(firstSite: number) {
    this.#firstSite = firstSite;
  }

  /** Adds an insertion. Insertions must be added in order of position. */
  add(position: number, text: string): void {
    const entry = text.length < MIN_ENTRY_LENGTH ? -1 : text.indexOf(entryCall);
    this.#write(position - this.#last);
    this.#last = position;
    if (entry < 0) {
      this.#write(text.length * 2);
      return;
    }
    this.#write(text.length * 2 + 1);
    this.#write(Number.parseInt(text.slice(entry + entryCall.length), 10) - this.#firstSite);
    this.#write(entry);
  }

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #write(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }
}

export class Insertions {
  /** The start of each insertion in the rewritten source. `#lengths` contains the lengths. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  /** The position of each function's entry call in the rewritten source, by the function's number. */
  readonly #entries: number[] = [];

  constructor(bytes: Uint8Array) {
    let at = 0;
    const read = (): number => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0;
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    let start = 0;
    while (at < bytes.length) {
      start += read();
      const code = read();
      if (code % 2 === 1) {
        const site = read();
        this.#entries[site] = start + read();
      }
      this.#starts.push(start);
      this.#lengths.push(code >> 1);
      start += code >> 1;
    }
  }

  /** Returns the position of a function's entry call in the rewritten source. */
  entryOf(site: number): number | undefined {
    return this.#entries[site];
  }

  /** Removes the insertions from a part of the rewritten source that begins at `start`. */
  removeFrom(text: string, start: number): string {
    let result = '';
    let from = 0;
    for (let index = this.#firstFrom(start); index < this.#starts.length; index++) {
      const at = (this.#starts[index] ?? 0) - start;
      const end = at + (this.#lengths[index] ?? 0);
      if (end > text.length) break;
      result += text.slice(from, at);
      from = end;
    }
    return result + text.slice(from);
  }

  /**
   * Returns the offset in the original source for a column in the rewritten source. `lineStart` is the offset in the original source at
   * which the line begins.
   */
  originalOffset(lineStart: number, column: number): number {
    let put = 0;
    let index = 0;
    const { length } = this.#starts;
    const pieceLength = (): number => this.#lengths[index] ?? 0;
    const piecePosition = (): number => (this.#starts[index] ?? 0) - put;
    for (; index < length && piecePosition() < lineStart; index++) put += pieceLength();
    const target = lineStart + put + column;
    for (; index < length && (this.#starts[index] ?? 0) + pieceLength() <= target; index++)
      put += pieceLength();
    return index < length ? Math.min(target - put, piecePosition()) : target - put;
  }

  #firstFrom(start: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
