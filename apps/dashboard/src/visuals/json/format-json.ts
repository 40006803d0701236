import type { JsonLines } from './json-lines.ts';

/** Deeper lines are indented no further: a text nested thousands deep must not become mostly spaces. */
const MOST_INDENT = 40;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SLASH = 0x2f;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
const NEWLINE = 0x0a;

/**
 * Lays a JSON text (UTF-8) out in lines of two spaces a level. Numbers go over byte by byte, so that one beyond
 * what a double holds keeps all its digits. Throws an `Error` where brackets or quotes do not close: the text
 * was cut off, or is no JSON.
 */
export function formatJson(source: Uint8Array): JsonLines {
  let out = new Uint8Array(Math.ceil(source.length * 1.5) + 64);
  let at = 0;
  const starts = new NumberList();
  const ends = new NumberList();
  const counts = new NumberList();
  const levels = new NumberList();
  /** The lines of what is open, outermost first. */
  const open: number[] = [];
  const closers: number[] = [];

  const room = (bytes: number) => {
    if (at + bytes <= out.length) return;
    const larger = new Uint8Array(Math.max(out.length * 2, at + bytes));
    larger.set(out);
    out = larger;
  };
  const copy = (from: number, to: number) => {
    room(to - from);
    if (to - from > 64) out.set(source.subarray(from, to), at);
    else for (let index = from; index < to; index += 1) out[at + index - from] = source[index] ?? 0;
    at += to - from;
  };
  /** Without the backslashes that some writers put before slashes: a path is to be read, and found, as one writes it. */
  const copyString = (from: number, to: number) => {
    let begin = from;
    for (
      let place = nextBackslash(source, from, to);
      place < to;
      place = nextBackslash(source, place + 2, to)
    ) {
      if (source[place + 1] !== SLASH) continue;
      copy(begin, place);
      begin = place + 1;
    }
    copy(begin, to);
  };
  const startLine = () => {
    starts.push(at);
    ends.push(0);
    counts.push(0);
    levels.push(Math.min(open.length, 0xffff));
  };
  const breakLine = () => {
    const indent = Math.min(open.length, MOST_INDENT) * 2;
    room(indent + 1);
    out[at] = NEWLINE;
    at += 1;
    startLine();
    out.fill(SPACE, at, at + indent);
    at += indent;
  };
  const put = (byte: number) => {
    room(2);
    out[at] = byte;
    at += 1;
  };

  startLine();
  let index = 0;
  while (index < source.length) {
    const byte = source[index] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(source, index);
      copyString(index, end);
      index = end;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      const closer = byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
      put(byte);
      index = skipSpace(source, index + 1);
      if (source[index] === closer) {
        put(closer);
        index += 1;
        continue;
      }
      const line = starts.length - 1;
      open.push(line);
      closers.push(closer);
      counts.set(line, 1);
      breakLine();
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      const line = open.pop();
      if (line === undefined || closers.pop() !== byte) throw notJson(index);
      breakLine();
      put(byte);
      ends.set(line, starts.length - 1);
      index += 1;
    } else if (byte === COMMA) {
      const line = open.at(-1);
      if (line === undefined) throw notJson(index);
      put(COMMA);
      counts.set(line, counts.at(line) + 1);
      breakLine();
      index += 1;
    } else if (byte === COLON) {
      put(COLON);
      put(SPACE);
      index += 1;
    } else if (isSpace(byte)) {
      index += 1;
    } else {
      const end = endOfLiteral(source, index);
      copy(index, end);
      index = end;
    }
  }
  if (open.length > 0 || at === 0) throw new Error('The JSON text ends before it is complete.');
  // As if one more line began behind the last one's end.
  starts.push(at + 1);
  return {
    bytes: out.slice(0, at),
    starts: starts.values(),
    ends: ends.values(),
    counts: counts.values(),
    levels: Uint16Array.from(levels.values()),
  };
}

function notJson(index: number): Error {
  return new Error(`The text is no JSON: it goes wrong at byte ${index}.`);
}

/** Where the string that begins here is over: behind its closing quote. */
function endOfString(source: Uint8Array, from: number): number {
  for (let index = from + 1; index < source.length; index += 1) {
    const byte = source[index];
    if (byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) return index + 1;
  }
  throw new Error('The JSON text ends within a string.');
}

/** Where the next backslash is before `to`; `to` where there is none. */
function nextBackslash(source: Uint8Array, from: number, to: number): number {
  let index = from;
  while (index < to && source[index] !== BACKSLASH) index += 1;
  return Math.min(index, to);
}

/** Where the number or word that begins here is over. */
function endOfLiteral(source: Uint8Array, from: number): number {
  let index = from + 1;
  while (index < source.length) {
    const byte = source[index] ?? 0;
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break;
    index += 1;
  }
  return index;
}

function skipSpace(source: Uint8Array, from: number): number {
  let index = from;
  while (index < source.length && isSpace(source[index] ?? 0)) index += 1;
  return index;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}

/** A list of whole numbers that grows by doubling. */
class NumberList {
  length = 0;
  #numbers = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#numbers[index] = value;
  }

  values(): Uint32Array<ArrayBuffer> {
    return this.#numbers.slice(0, this.length);
  }
}
