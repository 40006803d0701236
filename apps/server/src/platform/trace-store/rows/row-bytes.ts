const MIN_BYTES = 8192;
const MAX_BYTES = 1024 * 1024;
/** The maximum UTF-8 bytes per UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;

/** Rows of one trace, in the order in which they were added. */
export interface Rows {
  readonly pieces: Buffer[];
}

export function joinRows({ pieces }: Rows): Buffer {
  const [first, ...rest] = pieces;
  return first !== undefined && rest.length === 0 ? first : Buffer.concat(pieces);
}

/**
 * Writes each row of a body to memory pages as soon as the row is created. Rows of several traces can alternate. If rows were kept as
 * strings, V8 would store each string as a tree of its fields until the last row exists, and the garbage collector would copy the trees
 * repeatedly.
 */
export class RowBytes {
  #page: Buffer;
  #end = 0;

  /** @param expectedBytes the approximate total size */
  constructor(expectedBytes: number) {
    this.#page = Buffer.allocUnsafeSlow(Math.min(MAX_BYTES, Math.max(MIN_BYTES, expectedBytes)));
  }

  /** Adds a row and returns its size in bytes. */
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
