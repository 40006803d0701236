import { findRunEnd, findRunStart, isBase64Url } from './characters.ts';
import type { Part, TextScan } from './scan.ts';

const MAX_NAME = 64;

/**
 * True for characters of a value that is encoded within a URL. False for blanks, quotes, `%`, `#`, separators of parameters, and the mark
 * of a redacted text.
 */
function isEncodedValue(code: number): boolean {
  return (
    code > 0x20 &&
    code !== 0x26 &&
    code !== 0x23 &&
    code !== 0x25 &&
    code !== 0x22 &&
    code !== 0x27 &&
    code !== 0x3b &&
    code !== 0x2039
  );
}

/**
 * Finds the value after an encoded `=` or `:` at `at`: `?next=%2Fcb%3Ftoken%3DX`, `%22password%22%3A%22X%22`.
 */
export function findEncoded({ text, names }: TextScan, at: number): Part | undefined {
  // A URL within a URL is encoded twice: `%253D`.
  const digits = text.startsWith('%25', at) ? at + 3 : at + 1;
  const sign = text.slice(digits, digits + 2).toUpperCase();
  if (sign !== '3D' && sign !== '3A') return undefined;
  const quoted = text.startsWith('%22', at - 3);
  const nameEnd = quoted ? at - 3 : at;
  const nameStart = startOfEncodedName(text, nameEnd);
  if (nameStart === nameEnd || names.judge(text.slice(nameStart, nameEnd)) === 'plain') return undefined;
  const after = digits + 2;
  const start = text.startsWith('%22', after) ? after + 3 : after;
  let end = findRunEnd(text, start, isEncodedValue);
  // The value ends at an encoded quote, ampersand, comma, bracket, semicolon or blank. Other encoded characters are part of the value.
  while (
    text.charAt(end) === '%' &&
    !/^%(?:25)?(?:22|26|2C|7D|5D|3B|0A|0D|20)/i.test(text.slice(end, end + 5))
  ) {
    end = findRunEnd(text, end + 1, isEncodedValue);
  }
  return end > start ? { start, end } : undefined;
}

function isNameCode(code: number): boolean {
  return isBase64Url(code) || code === 0x2e;
}

/**
 * Finds the start of an encoded name. The last two digits of an encoded quote, question mark or ampersand before the name, such as `%3F`,
 * are not part of the name.
 */
function startOfEncodedName(text: string, end: number): number {
  const start = findRunStart(text, end, isNameCode, MAX_NAME);
  return text.charAt(start - 1) === '%' ? Math.min(end, start + 2) : start;
}
