export const SEMICOLON = 0x3b;
export const COMMA = 0x2c;
/** The bit of a base64 digit that marks that more digits follow. */
export const CONTINUES = 32;
export const DIGIT_BITS = 5;
/** The value that {@link digits} has for a byte that is no digit. */
export const NO_DIGIT = 255;

/** The values of base64 digits, by byte. */
export const digits = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  digits[letter.charCodeAt(0)] = value;
}

/**
 * Number of lines between saved positions. A line of a bundle has about ten bytes of mappings, so that reading from one position to the
 * next takes about 50 µs.
 */
const LINES_BETWEEN = 1024;

/** The sums of all segments before a position in the mappings. Each segment is stored as the difference to these sums. */
export interface Sums {
  /** The column in the generated line. */
  readonly column: number;
  readonly source: number;
  readonly line: number;
}

/** A line in a source: the index of the source in the map, and a line that counts from 0. */
export interface MappedLine {
  readonly source: number;
  readonly line: number;
}

/** A position in the mappings: the offset at which a line's segments start, and the sums of all earlier segments. */
interface Place {
  readonly at: number;
  readonly source: number;
  readonly line: number;
}

/** Reads the mappings of a source map (ECMA-426), or a part of them, line by line, on demand. */
export class MappingReader {
  readonly #mappings: Buffer;
  readonly #column: number;
  /** Saved positions, one every {@link LINES_BETWEEN} lines, as far as the mappings have been read. */
  readonly #places: Place[];

  #at = 0;
  #source = 0;
  #line = 0;

  /** `start` contains the sums before the first segment of `mappings`. */
  constructor(mappings: Buffer, start: Sums = { column: 0, source: 0, line: 0 }) {
    this.#mappings = mappings;
    this.#column = start.column;
    this.#places = [{ at: 0, source: start.source, line: start.line }];
  }

  /**
   * Returns the position in a source for a position in the generated file. `line` counts from the line of the first segment, which is 0.
   * @throws RangeError if the mappings are damaged at or before this position
   */
  find(line: number, column: number): MappedLine | undefined {
    if (!this.#goTo(line)) return undefined;
    let generated = line === 0 ? this.#column : 0;
    let before = -1;
    let source = -1;
    let found = 0;
    while (!this.#isLineOver()) {
      generated += this.#number();
      // If several segments have the same position in the generated file, the first one applies, as in other source-map readers.
      if (generated > column || before === column) break;
      before = generated;
      source = -1;
      if (!this.#isSegmentOver()) {
        this.#source += this.#number();
        this.#line += this.#number();
        source = this.#source;
        found = this.#line;
      }
      this.#skipSegment();
    }
    return source < 0 ? undefined : { source, line: found };
  }

  /** Moves to the beginning of a line. Returns false if the mappings have fewer lines. */
  #goTo(line: number): boolean {
    let index = Math.min(Math.floor(line / LINES_BETWEEN), this.#places.length - 1);
    const place = this.#places[index];
    if (place === undefined) return false;
    this.#at = place.at;
    this.#source = place.source;
    this.#line = place.line;
    for (let current = index * LINES_BETWEEN; current < line; ) {
      if (!this.#skipLine()) return false;
      current += 1;
      if (current % LINES_BETWEEN !== 0) continue;
      index += 1;
      this.#places[index] ??= { at: this.#at, source: this.#source, line: this.#line };
    }
    return true;
  }

  /** Moves to the beginning of the next line. Returns false if there is no further line. */
  #skipLine(): boolean {
    while (!this.#isLineOver()) {
      this.#number();
      if (!this.#isSegmentOver()) {
        this.#source += this.#number();
        this.#line += this.#number();
      }
      this.#skipSegment();
    }
    this.#at += 1;
    return this.#at <= this.#mappings.length;
  }

  #isLineOver(): boolean {
    const byte = this.#mappings[this.#at];
    return byte === undefined || byte === SEMICOLON;
  }

  #isSegmentOver(): boolean {
    return this.#isLineOver() || this.#mappings[this.#at] === COMMA;
  }

  #skipSegment(): void {
    while (!this.#isSegmentOver()) this.#at += 1;
    if (this.#mappings[this.#at] === COMMA) this.#at += 1;
  }

  /** Reads the next number in base64 VLQ. @throws RangeError */
  #number(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const digit = digits[this.#mappings[this.#at] ?? 0] ?? NO_DIGIT;
      if (digit === NO_DIGIT) throw new RangeError(`the map has no number at ${this.#at}`);
      this.#at += 1;
      value |= (digit & (CONTINUES - 1)) << shift;
      if ((digit & CONTINUES) === 0) break;
      shift += DIGIT_BITS;
    }
    return (value & 1) === 1 ? -(value >>> 1) : value >>> 1;
  }
}
