import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfLiteral,
  endOfString,
  isSpace,
  NEWLINE,
  nextBackslash,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SLASH,
  SPACE,
  skipSpace,
} from './json-bytes.ts';
import type { JsonLines } from './json-lines.ts';
import { NumberList } from './number-list.ts';

/** Deeper lines are indented no further: a text nested thousands deep must not become mostly spaces. */
const MAX_INDENT = 40;
/** A string that is longer is copied in one piece. Bytes. */
const SHORT_BYTES = 64;

/** Lays out a JSON text that comes in parts, wherever those part it. */
interface JsonFormatter {
  /** Throws an `Error` where a bracket closes what is not open. */
  write(part: Uint8Array): void;
  /** A copy of the lines so far, up to the last complete one. Undefined before the first. */
  soFar(): JsonLines | undefined;
  /** All of it; `bytes` may lie in a larger buffer. Throws an `Error` where brackets or quotes do not close: the text was cut off, or is no JSON. */
  end(): JsonLines;
}

/** A whole text at once. Throws as the formatter does. */
export function formatJson(source: Uint8Array): JsonLines {
  const formatter = createJsonFormatter();
  formatter.write(source);
  return formatter.end();
}

/**
 * Lays a JSON text (UTF-8) out in lines of two spaces a level. Numbers go over byte by byte, so that one beyond
 * what a double holds keeps all its digits.
 */
export function createJsonFormatter(): JsonFormatter {
  /** The bytes so far: `index` is the start of the next token, `seen` the length already searched of an unfinished one. */
  let source = new Uint8Array(1 << 16);
  let length = 0;
  let index = 0;
  let seen = 0;
  /** How much of the text came before what `source` still has. */
  let before = 0;

  let out = new Uint8Array(1 << 16);
  let at = 0;
  const starts = new NumberList();
  const ends = new NumberList();
  const counts = new NumberList();
  const levels = new NumberList();
  /** The lines of what is open, outermost first. */
  const open: number[] = [];
  const closers: number[] = [];

  const keep = (part: Uint8Array) => {
    if (length + part.length > source.length) {
      const rest = source.subarray(index, length);
      const room = rest.length + part.length;
      if (room > source.length) source = new Uint8Array(Math.max(source.length * 2, room));
      source.set(rest);
      length = rest.length;
      before += index;
      seen -= index;
      index = 0;
    }
    source.set(part, length);
    length += part.length;
  };
  const room = (bytes: number) => {
    if (at + bytes <= out.length) return;
    const larger = new Uint8Array(Math.max(out.length * 2, at + bytes));
    larger.set(out);
    out = larger;
  };
  const copy = (from: number, to: number) => {
    room(to - from);
    if (to - from > SHORT_BYTES) out.set(source.subarray(from, to), at);
    else for (let place = from; place < to; place += 1) out[at + place - from] = source[place] ?? 0;
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
    const indent = Math.min(open.length, MAX_INDENT) * 2;
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
  const notJson = () => new Error(`Invalid JSON at byte ${before + index}.`);

  /** Goes on to the end of what has come, or to the token that may not be whole before more comes. */
  const run = (whole: boolean) => {
    while (index < length) {
      const byte = source[index] ?? 0;
      const from = Math.max(index + 1, seen);
      if (byte === QUOTE) {
        const end = endOfString(source, from, length);
        if (end < 0) {
          if (whole) throw new Error('The JSON text ends within a string.');
          seen = ~end;
          return;
        }
        copyString(index, end);
        index = end;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        const next = skipSpace(source, from, length);
        if (next === length && !whole) {
          seen = next;
          return;
        }
        const closer = byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
        put(byte);
        index = next;
        if (index < length && source[index] === closer) {
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
        if (line === undefined || closers.pop() !== byte) throw notJson();
        breakLine();
        put(byte);
        ends.set(line, starts.length - 1);
        index += 1;
      } else if (byte === COMMA) {
        const line = open.at(-1);
        if (line === undefined) throw notJson();
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
        const end = endOfLiteral(source, from, length);
        if (end === length && !whole) {
          seen = end;
          return;
        }
        copy(index, end);
        index = end;
      }
    }
  };

  startLine();
  return {
    write(part) {
      keep(part);
      run(false);
    },
    soFar() {
      const count = starts.length - 1;
      if (count < 1) return undefined;
      const closed = ends.values().slice(0, count);
      // Open brackets, and those that close in an omitted line, end beyond the last line.
      for (const line of open) if (line < count) closed[line] = count;
      return {
        bytes: out.slice(0, starts.at(count) - 1),
        starts: starts.values(),
        ends: closed.map((end) => Math.min(end, count)),
        counts: counts.values().slice(0, count),
        levels: Uint16Array.from(levels.values().subarray(0, count)),
      };
    },
    end() {
      run(true);
      if (open.length > 0 || at === 0) throw new Error('The JSON text ends before it is complete.');
      // As if one more line began behind the last one's end.
      starts.push(at + 1);
      return {
        bytes: out.subarray(0, at),
        starts: starts.values(),
        ends: ends.values(),
        counts: counts.values(),
        levels: Uint16Array.from(levels.values()),
      };
    },
  };
}
