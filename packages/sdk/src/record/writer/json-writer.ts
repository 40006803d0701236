import { characterSigns, DIGIT_SIGN, FREE_SIGN, WIDE_SIGN } from '@throughline/contract/redaction';
import type { ShownStacks } from '../errors/stack-places.ts';
import type { Fragment } from '../types.ts';
import {
  allocateBuffer,
  ByteArray,
  charCodeAt,
  copyBuffer,
  copyWithinBytes,
  create,
  defineProperty,
  setBytes,
  stringifyJson,
  utf8Write,
} from './primordials.ts';

export type { Fragment };

/** Flag in `signs` of the characters that must be escaped in a JSON string. */
const ESCAPED_SIGN = FREE_SIGN;
const ASCII = 128;
const signs = new Int32Array(ASCII);
for (let code = 0; code < ASCII; code++) {
  const escaped = code < 0x20 || code === 0x22 || code === 0x5c;
  signs[code] = (characterSigns[code] ?? 0) | (escaped ? ESCAPED_SIGN : 0);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
/**
 * Strings longer than this are written with one call and scanned afterwards, which takes 46 ns plus 0.8 ns per character. Other strings are
 * written character by character, which takes 1.6 ns per character.
 */
const LONG = 40;
/** Number of bytes up to which it is faster to copy byte by byte. */
const SHORT = 16;
/** Maximum number of UTF-8 bytes for a UTF-16 code unit. */
const UNIT_BYTES = 3;

export function buildFragment(json: string): Fragment {
  const writer = new JsonWriter(json.length * UNIT_BYTES);
  writer.json(json);
  return writer.since(0);
}

/**
 * Allocates a buffer with an own `byteLength` property: Node's functions read `byteLength`, which otherwise is a getter that the host can
 * replace.
 */
function block(capacity: number): Buffer {
  const own: PropertyDescriptor = create(null);
  own.value = capacity;
  return defineProperty(allocateBuffer(capacity), 'byteLength', own);
}

/**
 * Writes JSON as UTF-8 into a buffer that grows. A comma follows each value; closing an object or list overwrites the last comma. Looks up
 * no property that the host can change.
 */
export class JsonWriter {
  bytes: Buffer;
  #capacity: number;
  /** Position of the next byte. */
  end = 0;
  /** Character classes of the string that was written last, and its number of digits (see `mayHoldSecret`). */
  signs = 0;
  digits = 0;
  /** Stacks of the errors among the values; null if there are none. */
  stacks: ShownStacks | null = null;
  /** Called after each text of a value was written, but not after the names of members. */
  onText: ((text: string) => void) | null = null;

  constructor(capacity: number) {
    this.bytes = block(capacity);
    this.#capacity = capacity;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Grows the buffer if fewer than `count` bytes are free. */
  reserve(count: number): void {
    if (this.end + count > this.#capacity) this.#grow(count);
  }

  #grow(count: number): void {
    const capacity = Math.max(this.#capacity * 2, this.end + count);
    const larger = block(capacity);
    setBytes(larger, this.bytes, 0);
    this.bytes = larger;
    this.#capacity = capacity;
  }

  fragment(piece: Fragment): void {
    const { bytes: from, size } = piece;
    this.reserve(size);
    const { bytes, end } = this;
    if (size > SHORT) setBytes(bytes, from, end);
    else for (let index = 0; index < size; index++) bytes[end + index] = from[index] ?? 0;
    this.end = end + size;
  }

  byte(code: number): void {
    this.reserve(1);
    this.bytes[this.end++] = code;
  }

  /** Appends JSON that contains only ASCII. */
  ascii(json: string): void {
    const { length } = json;
    this.reserve(length);
    const { bytes, end } = this;
    for (let index = 0; index < length; index++) bytes[end + index] = charCodeAt(json, index);
    this.end += length;
  }

  json(json: string): void {
    this.reserve(json.length * UNIT_BYTES);
    this.end += utf8Write(this.bytes, json, this.end, this.#capacity - this.end);
  }

  /** Appends `text` as a JSON string. Sets {@link signs} and {@link digits}. */
  string(text: string): void {
    if (text.length > LONG) this.#longString(text);
    else this.#shortString(text);
    if (this.onText !== null) this.onText(text);
  }

  #shortString(text: string): void {
    const { length } = text;
    this.reserve(length + 2);
    const { bytes } = this;
    let at = this.end;
    bytes[at++] = QUOTE;
    let seen = 0;
    let digits = 0;
    for (let index = 0; index < length; index++) {
      const unit = charCodeAt(text, index);
      if (unit >= ASCII) {
        this.#escapedString(text);
        return;
      }
      const sign = signs[unit] ?? 0;
      seen |= sign;
      if (sign === DIGIT_SIGN) digits++;
      bytes[at++] = unit;
    }
    if ((seen & ESCAPED_SIGN) !== 0) {
      this.#escapedString(text);
      return;
    }
    bytes[at++] = QUOTE;
    this.end = at;
    this.signs = seen;
    this.digits = digits;
  }

  #longString(text: string): void {
    this.reserve(text.length * UNIT_BYTES + 2);
    const { bytes } = this;
    let at = this.end;
    bytes[at++] = QUOTE;
    const end = at + utf8Write(bytes, text, at, this.#capacity - at);
    let seen = 0;
    let digits = 0;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= ASCII) {
        this.#escapedString(text);
        return;
      }
      const sign = signs[byte] ?? 0;
      seen |= sign;
      if (sign === DIGIT_SIGN) digits++;
    }
    if ((seen & ESCAPED_SIGN) !== 0) {
      this.#escapedString(text);
      return;
    }
    bytes[at++] = QUOTE;
    this.end = at;
    this.signs = seen;
    this.digits = digits;
  }

  #escapedString(text: string): void {
    let seen = 0;
    let digits = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = charCodeAt(text, index);
      const sign = unit < ASCII ? (signs[unit] ?? 0) : WIDE_SIGN;
      seen |= sign;
      if (sign === DIGIT_SIGN) digits++;
    }
    this.signs = seen;
    this.digits = digits;
    this.json(stringifyJson(text));
  }

  /** Appends an integer from 0 to 2^31 - 1. */
  integer(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) size++;
    this.reserve(size);
    const { bytes } = this;
    let rest = value;
    for (let at = this.end + size - 1; at >= this.end; at--) {
      const next = (rest / 10) | 0;
      bytes[at] = 0x30 + rest - next * 10;
      rest = next;
    }
    this.end += size;
  }

  /** Appends a finite number. */
  number(value: number): void {
    if (value >= 0 && (value | 0) === value) this.integer(value);
    else this.ascii(`${value}`);
  }

  comma(): void {
    this.reserve(1);
    this.bytes[this.end++] = COMMA;
  }

  /** Closes an object or list. The character `code` overwrites the last comma, if there is one, and a comma follows. */
  close(code: number): void {
    this.reserve(2);
    const { bytes, end } = this;
    const at = bytes[end - 1] === COMMA ? end - 1 : end;
    bytes[at] = code;
    bytes[at + 1] = COMMA;
    this.end = at + 2;
  }

  /** Inserts a fragment at the position `start`, before the bytes that were written from there on. */
  insert(start: number, { bytes, size }: Fragment): void {
    this.reserve(size);
    copyWithinBytes(this.bytes, start + size, start, this.end);
    setBytes(this.bytes, bytes, start);
    this.end += size;
  }

  /** Copies the bytes that were written from `start` on. */
  since(start: number): Fragment {
    const size = this.end - start;
    const bytes = new ByteArray(size);
    for (let index = 0; index < size; index++) bytes[index] = this.bytes[start + index] ?? 0;
    return { bytes, size };
  }

  /** Appends a copy of the bytes from `start` to `end`. */
  repeat(start: number, end: number): void {
    this.reserve(end - start);
    copyWithinBytes(this.bytes, this.end, start, end);
    this.end += end - start;
  }

  /** Appends the bytes from `start` to `end` of another writer. */
  copy(other: JsonWriter, start: number, end: number): void {
    this.reserve(end - start);
    copyBuffer(other.bytes, this.bytes, this.end, start, end);
    this.end += end - start;
  }
}
