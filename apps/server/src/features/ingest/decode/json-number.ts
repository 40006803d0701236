/** Thrown if the bytes are not JSON (RFC 8259). */
export class NotReadable extends Error {
  override readonly name = 'NotReadable';
}

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const E = 0x65;
const LARGE_E = 0x45;

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

export function beginsNumber(byte: number): boolean {
  return byte === MINUS || isDigit(byte);
}

/** Returns the end of the number that starts at `start`. @throws NotReadable if the number is not valid JSON */
export function endOfNumber(bytes: Buffer, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at);
  if (bytes[at] === DOT) at = endOfDigits(bytes, at + 1);
  if (bytes[at] !== E && bytes[at] !== LARGE_E) return at;
  const sign = bytes[at + 1];
  return endOfDigits(bytes, sign === MINUS || sign === PLUS ? at + 2 : at + 1);
}

/** Moves past one or more digits. */
function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at] ?? 0)) at++;
  if (at === start) throw new NotReadable();
  return at;
}

export function hasExponent(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === E || bytes[at] === LARGE_E) return true;
  return false;
}

const MAX_COUNT_DIGITS = 7;

/**
 * Returns true if the number is too short to be a secret. A short number is a count, such as the number of tokens in `{"tokens": 12}`. The
 * redactor checks longer numbers.
 */
export function isShortCount(bytes: Buffer, start: number, end: number): boolean {
  return end - start <= MAX_COUNT_DIGITS && !hasExponent(bytes, start, end);
}
