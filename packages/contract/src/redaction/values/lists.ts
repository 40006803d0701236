import { isPlaceholder } from '../shapes/plausible.ts';
import { CLOSE_LIST, CLOSE_PARENTHESIS, COMMA, findRunEnd, isDigit, isQuote } from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { countEscapes, readString } from './strings.ts';

const MAX_NAME = 64;

/** Names of other fields, and rules of validators, which follow a field's name in a list: `['password', 'minlength']`. */
const FIELD_WORDS =
  /^(?:required|optional|nullable|string|number|(?:min|max)(?:length|size)?|length|pattern|regex|match(?:es)?|equals|confirm(?:ed)?|is[a-z]+|email|user(?:name)?|login|name|phone|role|type|text|hidden|exists|unique|format)$/i;

/** True for a word that names a field or a validator's rule. */
export function isFieldWord(word: string): boolean {
  return word.length <= 20 && FIELD_WORDS.test(word);
}

function isSpace(code: number): boolean {
  return code <= 0x20;
}

/** Finds the second item of a pair whose bracket is at `at`: `["password","X"]`, `('password', 'X')`. */
export function findPaired({ text, names }: TextScan, at: number): Part | undefined {
  const first = findRunEnd(text, at + 1, isSpace, at + 32);
  const escapes = countEscapes(text, first);
  if (!isQuote(text.charCodeAt(first + escapes))) return undefined;
  const name = readString(text.slice(first, first + escapes * 2 + MAX_NAME), escapes, escapes);
  if (name.after === name.end || names.judge(text.slice(first + name.start, first + name.end)) === 'plain')
    return undefined;
  const comma = findRunEnd(text, first + name.after, isSpace, first + name.after + 32);
  if (text.charCodeAt(comma) !== COMMA) return undefined;
  const second = findRunEnd(text, comma + 1, isSpace, comma + 32);
  if (isDigit(text.charCodeAt(second))) return closePair(text, second, findRunEnd(text, second, isDigit));
  if (!isQuote(text.charCodeAt(second + escapes))) return undefined;
  const value = readString(text, second + escapes, escapes);
  const given = text.slice(value.start, Math.min(value.end, value.start + 129));
  return isPlaceholder(given) || isFieldWord(given)
    ? undefined
    : closePair(text, value.start, value.end, value.after);
}

/** Returns the range if the pair ends after it or the text was cut off after it. */
function closePair(text: string, start: number, end: number, after = end): Part | undefined {
  const next = findRunEnd(text, after, isSpace, after + 32);
  const code = text.charCodeAt(next);
  if (next < text.length && code !== CLOSE_LIST && code !== CLOSE_PARENTHESIS) return undefined;
  return end > start ? { start, end } : undefined;
}
