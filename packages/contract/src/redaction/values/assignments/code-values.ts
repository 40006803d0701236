import { hasSecretName } from '../../names/names.ts';
import { isPlaceholder, isPlainWord, isStateWord, looksSecret, MAX_JUDGED } from '../../shapes/plausible.ts';
import { CHOSEN } from '../../syntax/prose/sentence-words.ts';
import { OPEN_LIST } from '../../texts/characters.ts';
import type { Part } from '../../texts/scan.ts';
import { readString } from '../strings.ts';

/** Values that follow a secret's name in code: the argument of a call, or a default. */

/** Returns the range of a value, unless the value is empty or a placeholder. */
export function toPart(text: string, start: number, end: number): Part | undefined {
  if (end <= start) return undefined;
  return end - start <= MAX_JUDGED && isPlaceholder(text.slice(start, end)) ? undefined : { start, end };
}

const CALL = /^(?:\w{1,24}\(|ConvertTo-SecureString\s{1,2}(?:-String\s{1,2})?)(?=['"`])/;

/** Finds the start of a function call's first argument, if it is a string: `crypt('X', …)`. */
export function startOfArgument(text: string, at: number): number | undefined {
  const call = CALL.exec(text.slice(at, at + 48))?.[0];
  return call === undefined ? undefined : at + call.length;
}

/** Matches code before a default value: `process.env.SECRET ?? 'X'`, `os.environ.get("SECRET", "X")`. */
const FALLBACK =
  /^[A-Za-z_$][\w$.?!]{0,80}(?:\(\s?["'`][^"'`\n]{1,64}["'`]\s?,|(?:\[["'`]?[\w.-]{1,64}["'`]?\]|\(["'`]?[\w.-]{0,64}["'`]?\))?\s{0,4}(?:\?\?|\|\||\?:|\bor\b|\bif\b[^"'`\n]{1,40}\belse\b))\s{0,4}(?=["'`])/;
const MAX_FALLBACK = 240;

export function findFallback(text: string, start: number): Part | undefined {
  const before = FALLBACK.exec(text.slice(start, start + MAX_FALLBACK))?.[0];
  if (before === undefined) return undefined;
  const { start: from, end } = readString(text, start + before.length, 0);
  return toPart(text, from, end);
}

const NEXT_LISTED = /^\][,;\s]{1,3}\w{1,32}[:=]\[/;
const LISTED_BEFORE = /[:=]\[[^[\]\r\n]{0,64}\][,;\s]{1,3}\w{1,32}[:=]$/;
const MAX_LISTED = 112;

/**
 * True if `word` is in square brackets and another bracketed parameter is beside it, as in `username:[ada], password:[X]`. False for
 * placeholders, and for words that name a state.
 */
export function isListedWord(text: string, start: number, word: string): boolean {
  const after = start + 1 + word.length;
  return (
    text.charCodeAt(start) === OPEN_LIST &&
    !isPlaceholder(word) &&
    !isStateWord(word) &&
    (NEXT_LISTED.test(text.slice(after, after + 40)) ||
      LISTED_BEFORE.test(text.slice(Math.max(0, start - MAX_LISTED), start)))
  );
}

const IN_ANGLES = /^<([^\s<>‹/]{4,64})>(?=[\s,;.)\]}"']|$)/;

/** Finds the value in `pwd=<X>`. Other words in angle brackets are placeholders: `<your-password>`. */
export function findInAngles(text: string, start: number, name: string): Part | undefined {
  const inner = IN_ANGLES.exec(text.slice(start, start + 68))?.[1];
  if (inner === undefined || hasSecretName(inner)) return undefined;
  const isWord = CHOSEN.test(name) && isPlainWord(inner) && !isStateWord(inner) && !/^[A-Z]+$/.test(inner);
  return looksSecret(inner) || isWord ? { start: start + 1, end: start + 1 + inner.length } : undefined;
}
