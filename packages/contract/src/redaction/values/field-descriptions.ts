import { type CapturedValue, isTagged } from '../../values.ts';
import { endsInSecret } from '../names/names.ts';
import { looksSecret } from '../shapes/plausible.ts';
import { isList } from '../syntax/forms.ts';

// Objects below a name for a secret that describe a form field, a column or a cookie, and contain no secret.

const ABOUT = /^(?:hint|help|helpText|tooltip|label|placeholder)$/;
const SYNTAX = /^(?:pattern|regex|regexp|format|mask)$/;
const OPTIONS =
  /^(?:index|unique|sparse|type|auto[cC]omplete|required|optional|m(?:in|ax)(?:Length|Size)|visible|disabled|select|trim)$/;
const OPTION =
  /^(?:unique|sparse|text|hash|password|hidden|o(?:ff|n)|(?:new|current)-password|one-time-code)(?:[_-](?:sparse|unique|text|hash))*$/;
/** Maximum length of a description, in characters. Longer texts can contain anything. */
const MAX_ABOUT = 300;
const MAX_NUMBER = 256;

/** True for a sentence of at least three words, none of which looks like a secret, and for a label that ends with a secret's name. */
function isAbout(text: string): boolean {
  if (text.length > MAX_ABOUT) return false;
  const words = text.trim().split(/\s+/);
  if (words.some((word) => looksSecret(word.replace(/[.,;:!?()]+/g, '')))) return false;
  // A text with capitals inside is more often a passphrase than a sentence: `Correct Horse Battery Staple`.
  const isSentence = /^\p{Lu}/u.test(text) && !words.slice(1).some((word) => /^\p{Lu}/u.test(word));
  return endsInSecret(text) || (words.length > 2 && isSentence);
}

function describes(key: string, value: CapturedValue): boolean {
  if (typeof value === 'boolean' || value === null) return ABOUT.test(key) || OPTIONS.test(key);
  if (typeof value === 'number') return OPTIONS.test(key) && Math.abs(value) <= MAX_NUMBER;
  if (typeof value !== 'string') return false;
  if (ABOUT.test(key)) return isAbout(value);
  if (SYNTAX.test(key))
    return value.length <= MAX_ABOUT && /\\[dws]|\[[^\]]*\w-\w[^\]]*\]|\{\d+,?\d*\}|\.[*+]/i.test(value);
  return OPTIONS.test(key) && OPTION.test(value);
}

/** Names of a cookie's attributes. */
const OF_COOKIE =
  /^(?:path|domain|_?expires|maxAge|originalMaxAge|httpOnly|secure|sameSite|partitioned|priority|signed|overwrite)$/;

/** True for an object below a secret's name that only describes the secret: `{password: {hint: 'Use three words'}}`. */
export function isDescription(name: string, value: CapturedValue): boolean {
  if (typeof value !== 'object' || value === null || isList(value) || isTagged(value)) return false;
  const members = Object.entries(value);
  if (members.length === 0) return false;
  if (
    /cookie$/i.test(name) &&
    members.every(([key, member]) => OF_COOKIE.test(key) && isAttribute(key, member))
  )
    return true;
  return members.every(([key, member]) => describes(key, member));
}

const FLAG = /^(?:httpOnly|secure|partitioned|signed|overwrite)$/;

function isAttribute(key: string, value: CapturedValue): boolean {
  if (typeof value === 'boolean' || value === null) return true;
  if (FLAG.test(key)) return false;
  if (typeof value === 'string') return ATTRIBUTE.test(value);
  return typeof value === 'number' || (isTagged(value) && value.$type === 'Date');
}

const ATTRIBUTE =
  /^(?:[\dT.:-]{19,24}Z|\/[\w./-]{0,64}|\.?[a-z-]{1,63}(?:\.[a-z-]{2,63})+|localhost|[Ll]ax|[Ss]trict|[Nn]one|[Ll]ow|[Mm]edium|[Hh]igh|[A-Z][a-z]{2}, [\w :-]{20,26})$/;
