import { type CapturedValue, isTagged } from '../../values.ts';
import type { NameVerdict } from '../names/verdicts.ts';
import { isMasked, isPlainWord, isStateWord } from '../shapes/plausible.ts';
import { buildObject, type Fields, isList } from '../syntax/forms.ts';
import type { Part } from '../texts/scan.ts';
import { isShownInContainer } from './containers.ts';
import { canHoldOthers, isAddress, isText } from './described.ts';

/** Rules for the values of names such as `token` and `card`, which can also mean something else, such as a card in a game. */

/** Members that contain the secret of the object above them: `{token: {value: 'X'}}`, `{card: {code: 123}}`. */
const HELD = new Set(
  'value val key code digits access refresh raw plain plaintext string current previous old new'.split(' '),
);

/**
 * Members that show that `value` and `key` beside them are no secrets. The object is then a token of a parsed program or of a design, or a
 * card in a game.
 */
const OTHER_SENSES = new Set(
  'kind suit rank symbol decimals unit label title color line column start end position range loc index attributes'.split(
    ' ',
  ),
);
const TYPE_OF_SECRET = /^(?:bearer|jwt|opaque|access|refresh|session|api|reset|otp|totp|basic|csrf|id)\b/i;

/** True if the member of this name contains the secret of its object. */
function isHeld(name: string): boolean {
  return HELD.has(name.toLowerCase());
}

/** True if the object has a member of {@link HELD}, and no member that gives the object another meaning. */
function holdsSecretItself(fields: Fields): boolean {
  let holds = false;
  for (const name of Object.keys(fields)) {
    if (OTHER_SENSES.has(name)) return false;
    const { [name]: value } = fields;
    if (name === 'type' && !(typeof value === 'string' && TYPE_OF_SECRET.test(value))) return false;
    holds ||= isHeld(name);
  }
  return holds;
}

/** True for the words and punctuation of a text that a program has split: `['the', 'secret', 'of', 'success']`. */
function areWordsOfText(list: readonly CapturedValue[]): boolean {
  return (
    list.length > 1 &&
    list.every((item) => typeof item === 'string' && (isPlainWord(item) || item.length <= 2))
  );
}

/** True for a list of texts that are secrets themselves: `{tokens: ['swordfish']}`. */
function areSecretTexts(value: CapturedValue): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    isList(value) &&
    value.length > 0 &&
    value.every(isText) &&
    !areWordsOfText(value)
  );
}

/** True if the form of a value below a name such as `token` shows that the value is, or contains, the secret itself. */
export function isSecretItself(value: CapturedValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isList(value)) return areSecretTexts(value);
  return !isTagged(value) && holdsSecretItself(value);
}

/** Names of objects that map keys, such as users, to secrets: `{tokens: {ada: 'X'}}`. */
const KEPT_IN_MAPS = /(?:tokens|secrets)$/i;
/** Keys of maps without secrets. `OF_OTHER_MAP`: tokens of a design. `SYMBOL`: currencies, whose symbols have only capitals. */
const OF_OTHER_MAP =
  /colou?r|primary|secondary|tertiary|accent|background|foreground|surface|font|text|spac|radius|border|shadow|size|weight|breakpoint|brand|success|warning|danger|^(?:xs|sm|md|lg|\d*xl)$/i;
const SYMBOL = /^[A-Z]{2,6}$/;
const WORD = /^[\p{L}\p{M}]{6,64}$/u;

/**
 * True for an object whose name ends in `tokens` or `secrets`, and whose values are all texts. False if a key shows that the object means
 * something else. `hideWords` then hides the members that are single words.
 */
export function isMapOfSecrets(name: string, value: CapturedValue): value is Fields {
  if (typeof value !== 'object' || value === null || isList(value) || isTagged(value)) return false;
  return (
    KEPT_IN_MAPS.test(name) &&
    Object.entries(value).every(
      ([key, member]) =>
        isText(member) &&
        !OTHER_SENSES.has(key) &&
        !OF_OTHER_MAP.test(key) &&
        !SYMBOL.test(key) &&
        !isShownInContainer(key),
    )
  );
}

/** Hides the members of `value` that contain its secret; hides a list as a whole. `shown` is the value after other rules were applied. */
export function hideHeld(
  value: CapturedValue,
  shown: CapturedValue,
  hide: (value: CapturedValue) => CapturedValue,
): CapturedValue {
  if (typeof value !== 'object' || value === null || isList(value) || isTagged(value)) return hide(value);
  return hideMembers(value, shown, isHeld, hide);
}

/** Hides the words in a map of secrets. */
export function hideWords(
  value: Fields,
  shown: CapturedValue,
  hide: (value: CapturedValue) => CapturedValue,
): CapturedValue {
  return hideMembers(value, shown, (_, held) => typeof held === 'string' && WORD.test(held), hide);
}

function hideMembers(
  value: Fields,
  shown: CapturedValue,
  isSecretMember: (name: string, held: CapturedValue) => boolean,
  hide: (value: CapturedValue) => CapturedValue,
): CapturedValue {
  if (typeof shown !== 'object' || shown === null || isList(shown) || isTagged(shown)) return shown;
  let hasChanged = false;
  const members = Object.entries(shown).map(([name, member]): [string, CapturedValue] => {
    const { [name]: held = null } = value;
    const isSecret =
      isSecretMember(name, held) &&
      (typeof held === 'number' || (typeof held === 'string' && !isStateWord(held) && !isMasked(held)));
    hasChanged ||= isSecret;
    return [name, isSecret ? hide(held) : member];
  });
  return hasChanged ? buildObject(members) : shown;
}

const HELD_NAME = new RegExp(`[{,\\s]["']?(?:${[...HELD].join('|')})["']?\\s{0,2}:`, 'i');
const OTHER_NAME = new RegExp(`[{,\\s]["']?(?:type|${[...OTHER_SENSES].join('|')})["']?\\s{0,2}:`);

/** True for the beginning of an object as Node prints it: `{ value: 'X'`. */
export function beginsMember(text: string, start: number): boolean {
  return /^\{\s{0,4}[\w$]{1,32}:\s{0,2}["']/.test(text.slice(start, start + 48));
}

/**
 * Like {@link isSecretItself}, for the text of an object or a list. Also true for a secret in parts: a list of texts or numbers below a
 * singular name.
 */
export function isSecretItselfText(text: string, escapes: number, verdict: NameVerdict): boolean {
  const json = escapes === 0 ? text : text.replaceAll(`${'\\'.repeat(escapes)}"`, '"');
  try {
    const value: CapturedValue = JSON.parse(json);
    return isSecretItself(value) || !canHoldOthers(value, verdict);
  } catch {
    return HELD_NAME.test(json) && !OTHER_NAME.test(json);
  }
}

/** True if the siblings of a value show that it is no secret: a postal code in an address, a count of passed tests. */
export function isShownBeside(verdict: NameVerdict, value: CapturedValue, fields: Fields): boolean {
  if (verdict === 'postal') return isAddress(fields);
  return verdict === 'outcome' && isOutcome(value, fields);
}

/** Members of a report that counts results beside `pass`: `{pass: 1508, fail: 2}`. */
const OUTCOMES = /^(?:fail(?:s|ed|ures?)?|skip(?:s|ped)?)$/i;
/** Members of a login, beside which `pass` is a password. */
const OF_LOGIN = /user|login|mail|account|uid|host|name|db|database/i;
const OUTCOME_BESIDE = /^["']?[\s,;|]{1,4}["']?(?:fail|skip)[a-z]{0,6}["']?\s{0,2}[:=]\s{0,2}\d{1,7}(?!\d)/i;
const OUTCOME_BEFORE = /(?:fail|skip)[a-z]{0,6}["']?\s{0,2}[:=]\s{0,2}\d{1,7}["']?[\s,;|]{1,4}["']?$/i;
/** A larger number counts as a code, because few programs have more tests. */
const MAX_OUTCOME = 99_999;
const MAX_BESIDE = 40;

/** True if the members beside a number show that it counts passed tests. */
function isOutcome(value: CapturedValue, fields: Fields): boolean {
  if (typeof value !== 'number' || !Number.isInteger(value) || value > MAX_OUTCOME) return false;
  const names = Object.keys(fields);
  return (
    names.some((name) => OUTCOMES.test(name) && typeof fields[name] === 'number') &&
    !names.some((name) => OF_LOGIN.test(name))
  );
}

/** Like {@link isOutcome}, for `pass: 1508, fail: 2` in a text. The name begins at `name`. */
export function isOutcomeText(text: string, name: number, { start, end }: Part): boolean {
  const before = text.slice(Math.max(0, name - MAX_BESIDE), name);
  const after = text.slice(end, end + MAX_BESIDE);
  return (
    /^\d{1,5}$/.test(text.slice(start, Math.min(end, start + 9))) &&
    !OF_LOGIN.test(before) &&
    !OF_LOGIN.test(after) &&
    (OUTCOME_BESIDE.test(after) || OUTCOME_BEFORE.test(before))
  );
}
