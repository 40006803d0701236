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

/** Deeper lines are indented no further: JSON nested thousands deep must not become mostly spaces. */
const MAX_INDENT = 40;
/** Strings up to this length are copied byte by byte, longer strings in one piece. */
const SHORT_BYTES = 64;

/** Lays out JSON that arrives in chunks, which may be split at any byte. */
interface JsonFormatter {
  /** Throws an `Error` if a closing bracket has no matching open bracket. */
  write(part: Uint8Array): void;
  /** Returns a copy of the lines so far, up to the last complete line. Undefined before the first complete line. */
  soFar(): JsonLines | undefined;
  /**
   * Returns all lines; `bytes` may be a view of a larger buffer. Throws an `Error` if brackets or quotes are not closed: the JSON was cut
   * off or is invalid.
   */
  end(): JsonLines;
}

/** Formats complete JSON. Throws an `Error` if brackets or quotes do not match. */
export function formatJson(source: Uint8Array): JsonLines {
  const formatter = createJsonFormatter();
  formatter.write(source);
  return formatter.end();
}

/**
 * Lays JSON (UTF-8) out in lines with two spaces per level. Numbers are copied byte by byte, so that a number beyond
 * the precision of a double keeps all its digits.
 */
export function createJsonFormatter(): JsonFormatter {
  /** The bytes so far: `index` is the start of the next token, `seen` the position up to which an unfinished token was already searched. */
  let source = new Uint8Array(1 << 16);
  let length = 0;
  let index = 0;
  let seen = 0;
  /** The number of bytes that were discarded from the start of `source`. */
  let before = 0;

  let out = new Uint8Array(1 << 16);
  let at = 0;
  const starts = new NumberList();
  const ends = new NumberList();
  const counts = new NumberList();
  const levels = new NumberList();
  /** The line numbers of the open brackets, outermost first. */
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
  /** Drops the backslashes that some writers put before slashes, so that paths can be read and searched as usual. */
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

  /** Formats tokens up to the end of the received bytes, or up to a token that may be incomplete until more bytes arrive. */
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
      // A bracket can still be open, or close in a line that is not complete yet. Its end is then set to the number of lines.
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
      // `starts` also contains the end of the last line, as if another line began after it.
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
