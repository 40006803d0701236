import type { NounKind } from '../../names/nouns.ts';
import { isLongId, isPersonal, isPlaceholder, looksSecret } from '../../shapes/plausible.ts';
import { hasRandomLetters } from '../../shapes/random-letters.ts';

/** Tokens of a sentence that can be the value of a secret. */

/**
 * True if a token can be the value of this kind of name. `near`: the token is so close to the name that a long id or a number of four
 * digits counts as a value, too.
 */
export function isValue(token: string, kind: NounKind, near: boolean): boolean {
  if (isPlaceholder(token)) return false;
  if (/^\d[\d-]*$/.test(token) || (kind === 'end-of-phrase' && KEYPAD.test(token)))
    return isNumberFor(token, kind, near);
  if (looksSecret(token) || isPersonal(token)) return true;
  // A long id can be a secret: `the token is 550e8400-…`.
  return near && isLongId(token);
}

/**
 * Returns the end of a number that is written in two groups, such as `338 120`, if the text from `start` to `end` is the first group.
 * Otherwise returns `end`.
 */
export function endOfGroups(text: string, start: number, end: number): number {
  if (!FIRST_GROUP.test(text.slice(start, end))) return end;
  const next = /^ \d{3,4}(?![\w,:/-]|\.\d| [a-z])/.exec(text.slice(end, end + 8))?.[0] ?? '';
  return end + next.length;
}

const FIRST_GROUP = /^\d{3}$/;

/** True for a token that looks like a secret even after a word with other senses, such as `session X has expired`. */
export function isOpaque(token: string): boolean {
  return (
    token.length >= 20 &&
    /^[\w.-]+$/.test(token) &&
    /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(token) &&
    (/\d/.test(token) || hasRandomLetters(token))
  );
}

/** A code for a keypad: `7731#`, `4471B`. */
const KEYPAD = /^[*#]?\d{3,8}[A-F]?[*#]?$/;

function isNumberFor(token: string, kind: NounKind, near: boolean): boolean {
  if (/^(?:19|20)\d\d-\d/.test(token)) return false;
  const digits = token.replace(/\D/g, '').length;
  if (kind === 'numeric' || kind === 'end-of-phrase') return digits >= 3 && digits <= 20;
  return kind === 'secret' && digits === token.length && digits >= (near ? 4 : 6);
}
