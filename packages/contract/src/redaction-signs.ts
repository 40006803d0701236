/**
 * What one look at each character of a text tells: whether it can hold anything that `redactText` would take out. Most texts cannot, and need no second look.
 * Whoever goes through a text's characters anyway (to write it as JSON, say) gathers the signs on the way.
 */

export const DIGIT_SIGN = 1;
/** `Bearer` and `Basic` have a b, and a blank after them. */
const B_SIGN = 2;
const BLANK_SIGN = 4;
/** A colon or an equals sign stands in URLs with credentials, parameters, headers and members of JSON; `eyJ` begins a JWT. */
const TELLING_SIGN = 8;
/** The highest bit that a sign uses, doubled: free for others. */
export const FREE_SIGN = 16;

/** The sign of each ASCII character; all others have none. */
export const characterSigns: readonly number[] = Array.from({ length: 128 }, (_, code) => signOf(code));

function signOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return DIGIT_SIGN;
  const character = String.fromCharCode(code);
  if (character === 'b' || character === 'B') return B_SIGN;
  if (character === ' ') return BLANK_SIGN;
  return ':=J'.includes(character) ? TELLING_SIGN : 0;
}

const BEARER_SIGNS = B_SIGN | BLANK_SIGN;
/** The shortest card number, and the shortest part of one that a cut text may end with. */
const CARD_DIGITS = 13;
const CUT_CARD_DIGITS = 7;

/** Whether a text with these signs (each character's, or-ed) and so many digits may hold a secret; `cut`: its end was cut off. */
export function mayHoldSecret(signs: number, digits: number, cut: boolean): boolean {
  return (
    (signs & TELLING_SIGN) !== 0 ||
    (signs & BEARER_SIGNS) === BEARER_SIGNS ||
    digits >= (cut ? CUT_CARD_DIGITS : CARD_DIGITS)
  );
}
