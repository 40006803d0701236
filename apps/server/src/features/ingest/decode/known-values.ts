/** Number of leading bytes that are hashed to look up a value. */
const PREFIX = 24;
/** Minimum length of a cached value, in bytes. Scanning a shorter value again costs no more than a lookup. */
const SHORTEST = 48;
/** Body bytes per cache set. A set caches two values. */
const BYTES_A_SET = 256;
const MAX_SETS = 1024;

/** The index for a value that is not cached. */
const NOWHERE = -1;

/**
 * Caches the objects and lists of a body that were already scanned, each with its end and whether it can be stored unchanged. Most of a
 * body repeats earlier bytes: parameters appear in both inputs and variables, and one order passes through many steps.
 */
export class KnownValues {
  readonly #bytes: Buffer;
  readonly #sets: number;
  /** Start positions of the cached values in the body, two per set, the most recent first. */
  readonly #starts: Int32Array;
  /** End positions of the cached values. A position is negative if the value that ends there cannot be stored unchanged. */
  readonly #ends: Int32Array;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#sets = 2 ** Math.floor(Math.log2(Math.min(MAX_SETS, Math.max(1, bytes.length / BYTES_A_SET))));
    this.#starts = new Int32Array(this.#sets * 2);
    this.#ends = new Int32Array(this.#sets * 2);
  }

  /** Returns the cache index for the value that starts at `start`. */
  placeOf(start: number): number {
    const bytes = this.#bytes;
    const end = start + PREFIX;
    if (end > bytes.length) return NOWHERE;
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return ((hash ^ (hash >>> 15)) & (this.#sets - 1)) * 2;
  }

  /**
   * Returns the end of the value that starts at `start`, as a negative number if the value cannot be stored unchanged; 0 if the value is
   * not cached.
   */
  find(place: number, start: number): number {
    if (place === NOWHERE) return 0;
    return this.#endAs(place, start) || this.#endAs(place + 1, start);
  }

  /** Like {@link find}, but compares only with the cached value at `index`. */
  #endAs(index: number, start: number): number {
    const bytes = this.#bytes;
    const knownStart = this.#starts[index] ?? 0;
    const answer = this.#ends[index] ?? 0;
    const knownEnd = Math.abs(answer);
    const end = start + knownEnd - knownStart;
    // Most values that differ already differ in their last byte, so this byte is compared first.
    if (answer === 0 || end > bytes.length || bytes[end - 1] !== bytes[knownEnd - 1]) return 0;
    if (bytes.compare(bytes, knownStart, knownEnd, start, end) !== 0) return 0;
    return answer < 0 ? -end : end;
  }

  /** Caches a value with its result. */
  add(place: number, start: number, end: number, answer: boolean): void {
    if (place === NOWHERE || end - start < SHORTEST) return;
    this.#starts[place + 1] = this.#starts[place] ?? 0;
    this.#ends[place + 1] = this.#ends[place] ?? 0;
    this.#starts[place] = start;
    this.#ends[place] = answer ? end : -end;
  }
}
