const MIN_BYTES = 8192;
const MAX_BYTES = 1024 * 1024;
/** Of a character of a text. */
const MAX_UTF8_BYTES = 3;

/** Rows that belong together, in the order in which they were added. */
export interface Rows {
  readonly pieces: Buffer[];
}

export function joined({ pieces }: Rows): Buffer {
  const [first, ...rest] = pieces;
  return first !== undefined && rest.length === 0 ? first : Buffer.concat(pieces);
}

/**
 * Where a body's rows are written as they are made, some of one trace and some of another. As texts they would be trees of their fields until the
 * last of them is there, and the collector copies those again and again.
 */
export class RowBytes {
  #page: Buffer;
  #end = 0;

  /** @param expectedBytes about so many in all */
  constructor(expectedBytes: number) {
    this.#page = Buffer.allocUnsafeSlow(Math.min(MAX_BYTES, Math.max(MIN_BYTES, expectedBytes)));
  }

  /** Gives how many bytes the row has. */
  add(row: string, to: Rows): number {
    if (row.length * MAX_UTF8_BYTES > this.#page.length - this.#end) this.#makeRoom(Buffer.byteLength(row));
    const start = this.#end;
    const bytes = this.#page.write(row, start);
    this.#end += bytes;
    const last = to.pieces.at(-1);
    const follows = last?.buffer === this.#page.buffer && last.byteOffset + last.length === start;
    if (follows) to.pieces.pop();
    to.pieces.push(this.#page.subarray(follows ? last.byteOffset : start, this.#end));
    return bytes;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#page.length - this.#end) return;
    this.#page = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(MAX_BYTES, this.#page.length * 2)));
    this.#end = 0;
  }
}
