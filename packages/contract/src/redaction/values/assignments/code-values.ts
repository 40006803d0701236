import { isPlaceholder, MAX_JUDGED } from '../../shapes/plausible.ts';
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
