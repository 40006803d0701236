import { MalformedMessage } from './wire-reader.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Classes of bytes outside of JSON strings. `ORDINARY` bytes are part of a number or a literal. */
const ORDINARY = 0;
const BLANK = 1;
const SEPARATOR = 2;
const TEXT = 3;
const OPEN = 4;
const CLOSE = 5;
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  [' \t\r\n', BLANK],
  [',:', SEPARATOR],
  ['"', TEXT],
  ['[{', OPEN],
  [']}', CLOSE],
] as const) {
  for (const byte of Buffer.from(characters)) KINDS[byte] = kind;
}

/** The position of a value in the bytes, the number of values in it, and how deep these are nested. */
export interface JsonPlace {
  readonly start: number;
  readonly end: number;
  /** The number of nested values at any depth, including member names. */
  readonly values: number;
  readonly depth: number;
}

/**
 * Moves through JSON value by value. The caller parses one value at a time and never the whole body, because 64 MB of small values take
 * several GB when parsed. The cursor checks the brackets and separators that it moves past; {@link parse} checks the values.
 */
export class JsonCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3;
  }

  /** Moves to the next byte that is not whitespace and returns it; undefined at the end. */
  #next(): number | undefined {
    let at = this.#at;
    while (KINDS[this.#bytes[at] ?? 0] === BLANK) at += 1;
    this.#at = at;
    return this.#bytes[at];
  }

  #take(byte: number): void {
    if (this.#next() !== byte) throw new MalformedMessage('the body is not JSON');
    this.#at += 1;
  }

  #takeIf(byte: number): boolean {
    if (this.#next() !== byte) return false;
    this.#at += 1;
    return true;
  }

  get isAtObject(): boolean {
    return this.#next() === OPEN_OBJECT;
  }

  get isAtArray(): boolean {
    return this.#next() === OPEN_ARRAY;
  }

  get position(): number {
    return this.#at;
  }

  moveTo(position: number): void {
    this.#at = position;
  }

  /**
   * Yields the names of an object's members. The caller must move past each value before taking the next name.
   * @throws MalformedMessage
   */
  *members(): Generator<string> {
    this.#take(OPEN_OBJECT);
    if (this.#takeIf(CLOSE_OBJECT)) return;
    for (;;) {
      if (this.#next() !== QUOTE) throw new MalformedMessage('the body is not JSON');
      const { start, end } = this.skip();
      const name = this.#bytes.toString('utf8', start + 1, end - 1);
      this.#take(COLON);
      yield name.includes('\\') ? String(this.parse(start, end)) : name;
      if (this.#takeIf(CLOSE_OBJECT)) return;
      this.#take(COMMA);
    }
  }

  /** Stops at each element of an array. The caller must move past the element before taking the next. @throws MalformedMessage */
  *elements(): Generator<void> {
    this.#take(OPEN_ARRAY);
    if (this.#takeIf(CLOSE_ARRAY)) return;
    for (;;) {
      yield;
      if (this.#takeIf(CLOSE_ARRAY)) return;
      this.#take(COMMA);
    }
  }

  /** Moves past a value of any kind without allocating memory for its contents. @throws MalformedMessage if the value is cut off */
  skip(): JsonPlace {
    const bytes = this.#bytes;
    if (this.#next() === undefined) throw cutOff();
    const start = this.#at;
    let at = start;
    let depth = 0;
    let deepest = 0;
    let values = 0;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) throw cutOff();
      const kind = KINDS[byte];
      if (kind === TEXT) {
        at = this.#endOfText(at);
        values += 1;
      } else if (kind === OPEN) {
        at += 1;
        values += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if (kind === CLOSE) {
        at += 1;
        depth -= 1;
      } else if (kind === ORDINARY) {
        at += 1;
        while (at < bytes.length && KINDS[bytes[at] ?? 0] === ORDINARY) at += 1;
        values += 1;
      } else at += 1;
      if (depth <= 0) break;
    }
    if (depth < 0 || values === 0) throw new MalformedMessage('the body is not JSON');
    this.#at = at;
    return { start, end: at, values, depth: deepest };
  }

  /** Parses the value at a position. Integers that no double can represent become strings of their digits. @throws MalformedMessage */
  parse(start: number, end: number): unknown {
    const text = this.#bytes.toString('utf8', start, end);
    try {
      return JSON.parse(text, keepDigits(text));
    } catch (cause) {
      throw new MalformedMessage(`the body is not JSON: ${cause instanceof Error ? cause.message : cause}`);
    }
  }

  /** Checks that nothing follows the value. @throws MalformedMessage */
  finish(): void {
    if (this.#next() !== undefined) throw new MalformedMessage('the body is not JSON');
  }

  #endOfText(start: number): number {
    const bytes = this.#bytes;
    for (let at = start + 1; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at += 1;
    }
    throw cutOff();
  }
}

function cutOff(): MalformedMessage {
  return new MalformedMessage('the body is not JSON: it is cut off');
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Returns a reviver that turns integers that a double cannot represent into strings of their digits: OTLP sends such integers as strings,
 * but some senders send numbers. Returns undefined if the text contains no such integers, because a reviver is slow.
 */
function keepDigits(text: string): Reviver | undefined {
  if (!/(?:^|[:,[\s])-?\d{16,}\s*(?:[,}\]]|$)/.test(text)) return undefined;
  return (_key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value;
}
