export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const SPACE = 0x20;
export const NEWLINE = 0x0a;

/**
 * Finds the end of a string whose content continues at `from`. Returns the index after the closing quote. If the bytes before `to` contain
 * no closing quote, returns `~index`, a negative number: the search continues at `index` when more bytes arrive.
 */
export function endOfString(source: Uint8Array, from: number, to: number): number {
  for (let index = from; index < to; index += 1) {
    const byte = source[index];
    if (byte === QUOTE) return index + 1;
    if (byte !== BACKSLASH) continue;
    if (index + 1 >= to) return ~index;
    index += 1;
  }
  return ~to;
}

/** Returns the position of the next backslash before `to`, or `to` if there is none. */
export function nextBackslash(source: Uint8Array, from: number, to: number): number {
  let index = from;
  while (index < to && source[index] !== BACKSLASH) index += 1;
  return Math.min(index, to);
}

/** Returns the position after the number, `true`, `false` or `null` that contains `from`; at most `to`. */
export function endOfLiteral(source: Uint8Array, from: number, to: number): number {
  let index = from;
  while (index < to) {
    const byte = source[index] ?? 0;
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break;
    index += 1;
  }
  return index;
}

/** Returns the position of the next byte that is not white space, or `to` if there is none before `to`. */
export function skipSpace(source: Uint8Array, from: number, to: number): number {
  let index = from;
  while (index < to && isSpace(source[index] ?? 0)) index += 1;
  return index;
}

export function isSpace(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}
