/** By so many first bytes values are told apart at first. */
const PREFIX = 24;
/** Going through a shorter one again costs no more than finding it. */
const SHORTEST = 48;
/** A body has about so many bytes for each set of two values that are remembered. */
const BYTES_A_SET = 256;
const MAX_SETS = 1024;

/** The place of a value that is not remembered. */
const NOWHERE = -1;

/**
 * Objects and lists of a body that were gone through already. A step's parameters stand among its inputs and its variables, and one order goes through
 * many steps: most of a body is bytes that stood in it before, and what is true of them there is true of them here.
 */
export class KnownValues {
  readonly #bytes: Buffer;
  readonly #sets: number;
  /** Where they start, two of each set, the one met last first. */
  readonly #starts: Int32Array;
  /** Where they end; negative for one of which the answer was no. */
  readonly #ends: Int32Array;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#sets = 2 ** Math.floor(Math.log2(Math.min(MAX_SETS, Math.max(1, bytes.length / BYTES_A_SET))));
    this.#starts = new Int32Array(this.#sets * 2);
    this.#ends = new Int32Array(this.#sets * 2);
  }

  /** Where the value that starts there would be remembered. */
  placeOf(start: number): number {
    const bytes = this.#bytes;
    const end = start + PREFIX;
    if (end > bytes.length) return NOWHERE;
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return ((hash ^ (hash >>> 15)) & (this.#sets - 1)) * 2;
  }

  /** Where the value ends that starts there, negative where the answer was no; 0 where it was not met before. */
  find(place: number, start: number): number {
    if (place === NOWHERE) return 0;
    return this.#endAs(place, start) || this.#endAs(place + 1, start);
  }

  /** The end of a value that is the same as the one that is remembered there. */
  #endAs(index: number, start: number): number {
    const bytes = this.#bytes;
    const knownStart = this.#starts[index] ?? 0;
    const answer = this.#ends[index] ?? 0;
    const knownEnd = Math.abs(answer);
    const end = start + knownEnd - knownStart;
    // The last byte differs in most that are not the same.
    if (answer === 0 || end > bytes.length || bytes[end - 1] !== bytes[knownEnd - 1]) return 0;
    if (bytes.compare(bytes, knownStart, knownEnd, start, end) !== 0) return 0;
    return answer < 0 ? -end : end;
  }

  /** Remembers a value with its answer. */
  add(place: number, start: number, end: number, answer: boolean): void {
    if (place === NOWHERE || end - start < SHORTEST) return;
    this.#starts[place + 1] = this.#starts[place] ?? 0;
    this.#ends[place + 1] = this.#ends[place] ?? 0;
    this.#starts[place] = start;
    this.#ends[place] = answer ? end : -end;
  }
}
