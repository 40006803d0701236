import { COMMA, CONTINUES, DIGIT_BITS, digits, NO_DIGIT, SEMICOLON, type Sums } from '../mapping-reader.ts';

const QUOTE = 0x22;
/** Minimum number of bytes between two marks of a {@link MappingsIndex}. A lookup decodes about this number of bytes. */
const BYTES_BETWEEN = 4096;
/** Maximum number of bytes between two marks. Without this limit, a lookup in a hostile map would read the whole map. */
const MAX_BYTES_BETWEEN = 64 * 1024;
/** Maximum number of marks. They take 1.5 MB, for at least 256 MB of mappings. */
const MAX_MARKS = 64 * 1024;
/** Number of values in a mark: offset, generated line, first column, and the three {@link Sums} before the mark. */
const FIELDS = 6;
/** Maximum shift of a VLQ digit, in bits: the shift of the last digit of a 32-bit number. */
const MAX_SHIFT = 30;
/** Stored as the first column in a mark at the beginning of a line. */
const LINE_START = -1;

/** A part of the mappings that contains the segment for a position. Offsets count from the first byte of the mappings. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** The generated line in which the piece begins, counted from 0. */
  readonly line: number;
  readonly start: Sums;
}

/**
 * An index of mappings that are not kept in memory. The mappings are added in chunks of any length. The index has a mark about every 4 kB,
 * with the sums of all earlier segments, so that a position can be found by decoding only the bytes between two marks.
 */
export class MappingsIndex {
  #marks = new Int32Array(FIELDS * 64);
  #count = 0;
  #isOver = false;

  /** Offset of the next byte in the mappings. */
  #at = 0;
  /** Offset of the segment's first byte. */
  #segmentAt = 0;
  #markAt = 0;
  #generatedLine = 0;
  /** The largest column in this line so far. */
  #maxColumn = LINE_START;
  #column = 0;
  #source = 0;
  #line = 0;
  /** The segment's number that is being read: 0 is the first. */
  #field = 0;
  #value = 0;
  #shift = 0;

  constructor() {
    this.#mark(0, LINE_START, 0);
  }

  /** True if the closing quote of the mappings was read. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get bytes(): number {
    return this.#marks.byteLength;
  }

  /**
   * Reads bytes of the mappings, from the offset `start`, up to the closing quote or the end of the bytes. Returns the offset of the next
   * byte.
   * @throws RangeError if the mappings are damaged or exceed a limit
   */
  add(bytes: Buffer, start: number): number {
    // Local variables, because this loop runs once per byte.
    let value = this.#value;
    let shift = this.#shift;
    let at = start;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      const digit = digits[byte] ?? NO_DIGIT;
      at += 1;
      if (digit < CONTINUES) {
        value |= digit << shift;
        this.#endNumber((value & 1) === 1 ? -(value >>> 1) : value >>> 1);
        value = 0;
        shift = 0;
      } else if (digit !== NO_DIGIT) {
        value |= (digit - CONTINUES) << shift;
        if (shift >= MAX_SHIFT) throw new RangeError('a number in the mappings is too long');
        shift += DIGIT_BITS;
      } else {
        if (shift > 0) throw new RangeError('a number in the mappings does not end');
        this.#endSegment(byte, this.#at + at - start);
        if (this.#isOver) break;
      }
    }
    this.#value = value;
    this.#shift = shift;
    this.#at += at - start;
    return at;
  }

  #endNumber(difference: number): void {
    if (this.#field === 0) {
      const before = this.#column;
      this.#column += difference;
      // All earlier columns of the line are smaller, so a search for this column or a larger one can begin here.
      if (this.#column > this.#maxColumn) {
        this.#maxColumn = this.#column;
        if (this.#segmentAt - this.#markAt >= BYTES_BETWEEN)
          this.#mark(this.#segmentAt, this.#column, before);
      }
    } else if (this.#field === 1) this.#source += difference;
    else if (this.#field === 2) this.#line += difference;
    this.#field += 1;
  }

  /** `next` is the offset after the byte. */
  #endSegment(byte: number, next: number): void {
    const isWhole = this.#field !== 2 && (this.#field > 0 || byte !== COMMA);
    if (!isWhole || (byte !== COMMA && byte !== SEMICOLON && byte !== QUOTE))
      throw new RangeError('the mappings are damaged');
    this.#field = 0;
    this.#segmentAt = next;
    if (byte === SEMICOLON) this.#beginLine();
    else if (byte === QUOTE) this.#end(next - 1);
  }

  #beginLine(): void {
    this.#generatedLine += 1;
    this.#maxColumn = LINE_START;
    this.#column = 0;
    if (this.#segmentAt - this.#markAt >= BYTES_BETWEEN) this.#mark(this.#segmentAt, LINE_START, 0);
  }

  #mark(at: number, firstColumn: number, column: number): void {
    if (at - this.#markAt > MAX_BYTES_BETWEEN || this.#count >= MAX_MARKS)
      throw new RangeError('the mappings exceed the limits');
    const start = this.#count * FIELDS;
    if (start >= this.#marks.length) {
      const larger = new Int32Array(this.#marks.length * 2);
      larger.set(this.#marks);
      this.#marks = larger;
    }
    const mark = [at, this.#generatedLine, firstColumn, column, this.#source, this.#line];
    if (mark.some((number) => !Number.isInteger(number) || number !== (number | 0)))
      throw new RangeError('a number in the mappings is too large');
    this.#marks.set(mark, start);
    this.#count += 1;
    this.#markAt = at;
  }

  /** `at` is the offset of the closing quote. */
  #end(at: number): void {
    this.#isOver = true;
    // The last mark only ends the last piece. The mark's line is larger than any line that is looked up.
    this.#generatedLine = 2 ** 31 - 1;
    this.#mark(at, LINE_START, 0);
    this.#marks = this.#marks.slice(0, this.#count * FIELDS);
  }

  /** Finds the piece with the segment that applies to a position. `line` and `column` count from 0. */
  find(line: number, column: number): Piece {
    let first = 0;
    let last = this.#count - 2;
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      const markLine = this.#read(middle, 1);
      if (markLine < line || (markLine === line && this.#read(middle, 2) <= column)) first = middle;
      else last = middle - 1;
    }
    return {
      from: this.#read(first, 0),
      to: this.#read(first + 1, 0),
      line: this.#read(first, 1),
      start: { column: this.#read(first, 3), source: this.#read(first, 4), line: this.#read(first, 5) },
    };
  }

  #read(mark: number, field: number): number {
    return this.#marks[mark * FIELDS + field] ?? 0;
  }
}
