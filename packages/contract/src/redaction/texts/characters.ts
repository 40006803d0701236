/** Character classes for searches that look at each character once. */

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

export function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

/** True for unaccented Latin letters. */
export function isLetter(code: number): boolean {
  return isSmall(code | 0x20) && code >= 0x41;
}

export function isLetterOrDigit(code: number): boolean {
  return isDigit(code) || isLetter(code);
}

/**
 * True for accented letters and letters of other scripts; false for punctuation, including full-width
 * punctuation.
 */
export function isWideLetter(code: number): boolean {
  return (
    code >= 0xc0 &&
    !(code >= 0x2000 && code <= 0x2bff) &&
    !(code >= 0x3000 && code <= 0x3004) &&
    !isWidePunctuation(code)
  );
}

function isWidePunctuation(code: number): boolean {
  return (
    (code >= 0x3008 && code <= 0x3020) || (code >= 0xff00 && code <= 0xff20) || code === 0xd7 || code === 0xf7
  );
}

/** True for characters of Chinese, Japanese, Korean and Thai, whose words are not separated by spaces. */
export function isUnspaced(code: number): boolean {
  return (
    (code >= 0x0e00 && code <= 0x0e7f) ||
    (code >= 0x3040 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af)
  );
}

export function isWordCharacter(code: number): boolean {
  return isLetterOrDigit(code) || code === UNDERSCORE || isWideLetter(code);
}

export function isBase64Url(code: number): boolean {
  return isLetterOrDigit(code) || code === DASH || code === UNDERSCORE;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === 0xa0 || code === 0x3000;
}

export function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === RETURN;
}

export function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === BACKTICK;
}

/** True for non-ASCII quotation marks, opening or closing, but not for the apostrophe. */
export function isWideQuote(code: number): boolean {
  return (
    code === 0xab ||
    code === 0xbb ||
    (code >= 0x2018 && code <= 0x201e && code !== 0x2019) ||
    (code >= 0x300c && code <= 0x300f)
  );
}

export function isBackslash(code: number): boolean {
  return code === BACKSLASH;
}

/** Finds the end of the run of characters from `start` for which `belongs` is true. The result is at most `limit`. */
export function findRunEnd(
  text: string,
  start: number,
  belongs: (code: number) => boolean,
  limit = text.length,
): number {
  const last = Math.min(limit, text.length);
  let end = start;
  while (end < last && belongs(text.charCodeAt(end))) end++;
  return end;
}

/**
 * Finds the start of the run of characters before `end` for which `belongs` is true. The run has at most `most`
 * characters.
 */
export function findRunStart(
  text: string,
  end: number,
  belongs: (code: number) => boolean,
  most: number,
): number {
  const first = Math.max(0, end - most);
  let start = end;
  while (start > first && belongs(text.charCodeAt(start - 1))) start--;
  return start;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const PERCENT = 0x25;
const SINGLE_QUOTE = 0x27;
export const OPEN_PARENTHESIS = 0x28;
export const CLOSE_PARENTHESIS = 0x29;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const LESS = 0x3c;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;
export const OPEN_LIST = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const UNDERSCORE = 0x5f;
export const BACKTICK = 0x60;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
/** Replaces a secret in a longer text. */
export const REDACTED_TEXT = '‹redacted›';
/** `‹`, the first character of {@link REDACTED_TEXT}. */
export const REDACTED_MARK = 0x2039;
