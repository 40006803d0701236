/** A line in a source file. `line` counts from 1. */
export interface SourceLine {
  readonly source: string;
  readonly line: number;
}

interface Json {
  readonly mappings: string;
  readonly sources: readonly (string | null)[];
  readonly sourceRoot?: string;
}

const SEMICOLON = 0x3b;
const COMMA = 0x2c;
/** The bit of a base64 digit that marks that more digits follow. */
const CONTINUES = 32;
const DIGIT_BITS = 5;

const digits = new Uint8Array(128).fill(255);
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

/**
 * A position in the mappings: the offset at which a line's segments start, and the sums of all earlier segments. Each segment is stored as
 * the difference to these sums.
 */
interface Place {
  readonly at: number;
  readonly source: number;
  readonly line: number;
}

/**
 * A source map (ECMA-426) that is decoded line by line, on demand. For a bundle of 9 MB with a map of 14 MB this uses 5 MB, while decoded
 * segments would use 97 MB. Parsing and a first lookup near the end take 0.1 s, further lookups 0.1 ms. Names and sectioned maps are not
 * supported.
 */
export class LineMap {
  readonly #mappings: Buffer;
  readonly #sources: readonly (string | null)[];
  readonly #root: string;
  /** Saved positions, one every {@link LINES_BETWEEN} lines, as far as the map has been read. */
  readonly #places: Place[] = [{ at: 0, source: 0, line: 0 }];

  #at = 0;
  #source = 0;
  #line = 0;

  /** @throws SyntaxError, TypeError if `json` is not a source map */
  constructor(json: string) {
    const { mappings, sources, sourceRoot = '' }: Json = JSON.parse(json);
    if (typeof mappings !== 'string' || !Array.isArray(sources))
      throw new TypeError('it is not a source map');
    this.#mappings = Buffer.from(mappings, 'latin1');
    this.#sources = sources;
    this.#root = sourceRoot === '' || sourceRoot.endsWith('/') ? sourceRoot : `${sourceRoot}/`;
  }

  /** Number of bytes that the map uses. */
  get bytes(): number {
    return this.#mappings.length + this.#sources.reduce((sum, source) => sum + (source?.length ?? 0), 0);
  }

  /**
   * Returns the source position for a position in the generated file. `line` counts from 1, `column` from 0.
   * @throws RangeError if the map is damaged at or before this position
   */
  find(line: number, column: number): SourceLine | undefined {
    if (!(line >= 1) || !(column >= 0) || !this.#goTo(line - 1)) return undefined;
    let generated = 0;
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
    const name = this.#sources[source];
    return typeof name === 'string' ? { source: this.#root + name, line: found + 1 } : undefined;
  }

  /** Moves to the beginning of a line, counted from 0. Returns false if the map has fewer lines. */
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
      const digit = digits[this.#mappings[this.#at] ?? 0] ?? 255;
      if (digit === 255) throw new RangeError(`the map has no number at ${this.#at}`);
      this.#at += 1;
      value |= (digit & (CONTINUES - 1)) << shift;
      if ((digit & CONTINUES) === 0) break;
      shift += DIGIT_BITS;
    }
    return (value & 1) === 1 ? -(value >>> 1) : value >>> 1;
  }
}
