import { isPlaceholder } from '../shapes/plausible.ts';
import {
  CLOSE_LIST,
  CLOSE_PARENTHESIS,
  COMMA,
  findRunEnd,
  isDigit,
  isQuote,
  REDACTED_TEXT,
} from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { countEscapes, readString } from './strings.ts';

const MAX_NAME = 64;
/** Maximum total length of the marks (`REDACTED_TEXT`) that replace hidden parts of a name. */
const MAX_MARKS = 2 * REDACTED_TEXT.length;

function countMarks(name: string): number {
  return name.split(REDACTED_TEXT).length - 1;
}

/** Rules of validators, which follow a field's name in a list: `['password', 'minlength']`. Other words can be a password. */
const RULES =
  /^(?:required|optional|nullable|(?:min|max)(?:length|size)|isEmail|isLength|isString|isStrongPassword|isUUID)$/i;

/** True for a word that names a validator's rule. */
export function isRuleWord(word: string): boolean {
  return word.length <= 20 && RULES.test(word);
}

function isSpace(code: number): boolean {
  return code <= 0x20;
}

/** Finds the second item of a pair whose bracket is at `at`: `["password","X"]`, `('password', 'X')`. */
export function findPaired({ text, names }: TextScan, at: number): Part | undefined {
  const first = findRunEnd(text, at + 1, isSpace, at + 32);
  const escapes = countEscapes(text, first);
  if (!isQuote(text.charCodeAt(first + escapes))) return undefined;
  const name = readString(text.slice(first, first + escapes * 2 + MAX_NAME + MAX_MARKS), escapes, escapes);
  if (name.after === name.end) return undefined;
  const written = text.slice(first + name.start, first + name.end);
  // A name can contain the marks of hidden parts, which can be longer than these parts. The marks do not count towards `MAX_NAME`.
  if (name.after > escapes * 2 + MAX_NAME + countMarks(written) * REDACTED_TEXT.length) return undefined;
  const verdict = names.judge(written);
  if (verdict === 'plain') return undefined;
  const comma = findRunEnd(text, first + name.after, isSpace, first + name.after + 32);
  if (text.charCodeAt(comma) !== COMMA) return undefined;
  const second = findRunEnd(text, comma + 1, isSpace, comma + 32);
  if (isDigit(text.charCodeAt(second))) return closePair(text, second, findRunEnd(text, second, isDigit));
  if (!isQuote(text.charCodeAt(second + escapes))) return undefined;
  const value = readString(text, second + escapes, escapes);
  const given = text.slice(value.start, Math.min(value.end, value.start + 129));
  return isPlaceholder(given) || (isRuleWord(given) && verdict !== 'own')
    ? undefined
    : closePair(text, value.start, value.end, value.after);
}

/** Returns the range if a closing bracket follows it, or if the text ends after it. */
function closePair(text: string, start: number, end: number, after = end): Part | undefined {
  const next = findRunEnd(text, after, isSpace, after + 32);
  const code = text.charCodeAt(next);
  if (next < text.length && code !== CLOSE_LIST && code !== CLOSE_PARENTHESIS) return undefined;
  return end > start ? { start, end } : undefined;
}
