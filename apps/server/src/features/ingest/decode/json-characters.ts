import { characterSigns, FREE_SIGN, WIDE_SIGN } from '@throughline/contract/redaction';

/** Bytes with a meaning in JSON (RFC 8259). */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const DASH = 0x2d;
export const BACKSLASH = 0x5c;
/** UTF-8 byte order mark, which some editors write at the start of a file. */
export const BYTE_ORDER_MARK = 0xefbbbf;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

export function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

export function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/**
 * `SIGNS` classifies each byte of a string: hints of a secret, the bit `ESCAPE` for a backslash, and negative values for bytes that end the
 * string or are invalid.
 */
export const ESCAPE = FREE_SIGN;
export const END = -1;
const REFUSED = -2;
export const SIGNS = Int32Array.from({ length: 256 }, (_sign, byte) => {
  if (byte < 0x20) return REFUSED;
  if (byte === QUOTE) return END;
  if (byte >= 0x80) return WIDE_SIGN;
  return byte === BACKSLASH ? ESCAPE : (characterSigns[byte] ?? 0);
});

/** True if a string can be `AUTH`, the login command of Redis. No other string of four characters reveals a secret. */
export function mayBeLoginCommand(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === 4 && ((bytes[start] ?? 0) | 0x20) === 0x61 && ((bytes[start + 1] ?? 0) | 0x20) === 0x75
  );
}
