import { CONTENT_NAMES, LABEL_NAMES, LOOSE_NAMES, NAMING_NAMES, VALUE_NAMES } from '../names/name-table.ts';
import { endsInSecret, hasSecretName } from '../names/names.ts';
import type { NameVerdict } from '../names/verdicts.ts';
import {
  isFilePath,
  isLongId,
  isMasked,
  isPlainWord,
  isSmallWord,
  isStateWord,
  looksSecret,
} from '../shapes/plausible.ts';

/**
 * How a member names a sibling value. `name`: as in `{name: 'password'}`. `label`: as in `{title: 'API key'}`. `loose`: as in `{type:
 * 'token'}`; such a member often has the text of a secret's name although no sibling is a secret.
 */
export type NamingRole = 'name' | 'label' | 'loose';
/**
 * How a member contains the value that a sibling names. `value`: the member always contains the value. `content`: the member contains the
 * value, or a text about the name.
 */
export type ValueRole = 'value' | 'content';

const NAMING = new Map<string, NamingRole>([
  ...NAMING_NAMES.map((name) => [name, 'name'] as const),
  ...LABEL_NAMES.map((name) => [name, 'label'] as const),
  ...LOOSE_NAMES.map((name) => [name, 'loose'] as const),
]);
const VALUES = new Map<string, ValueRole>([
  ...VALUE_NAMES.map((name) => [name, 'value'] as const),
  ...CONTENT_NAMES.map((name) => [name, 'content'] as const),
]);
const MAX_KEY = 20;

function findRole<Role>(roles: ReadonlyMap<string, Role>, key: string): Role | undefined {
  return key.length > MAX_KEY ? undefined : roles.get(key.replace(/[_-]/g, '').toLowerCase());
}

export function findNamingRole(key: string): NamingRole | undefined {
  return findRole(NAMING, key);
}

export function findValueRole(key: string): ValueRole | undefined {
  return findRole(VALUES, key);
}

const MAX_LABEL = 64;
const AFTER_LABEL = /[\s:*?!.\d]+$/;

/** Returns the name in a label. `Password *` and `Your API key:` name secrets, `Cookie recipe` does not. */
export function readLabel(text: string): string | undefined {
  if (text.length > MAX_LABEL) return undefined;
  const name = text.replace(AFTER_LABEL, '');
  return !name.includes(' ') || endsInSecret(name) ? name : undefined;
}

/** True if a value beside a secret's name can be that secret, and is not a text about the name. */
export function mayBeNamed(value: string, naming: NamingRole, role: ValueRole): boolean {
  if (naming === 'name' && role === 'value') return true;
  if (naming === 'loose') return looksSecret(value) || isLongId(value);
  if (isPlainWord(value)) return !isStateWord(value) && !endsInSecret(value);
  return !isSentence(value);
}

const MAX_WORDS = 24;

const MIN_MESSAGE_WORDS = 3;

/** True for a sentence of a validator: it has at least three words, one of them is a function word, and none looks like a secret. */
export function isMessage(text: string): boolean {
  const words = text
    .replace(/[().,:]/g, '')
    .trim()
    .split(/\s+/, MAX_WORDS);
  return words.length >= MIN_MESSAGE_WORDS && words.some(isSmallWord) && !words.some(looksSecret);
}

/**
 * True for a text of several words that meets one of three conditions: it has a function word; it ends with a secret's name; all of its
 * words are plain, and one of them describes a state.
 */
function isSentence(text: string): boolean {
  if (!text.includes(' ')) return false;
  const words = text.trim().split(/\s+/, MAX_WORDS);
  return (
    words.some(isSmallWord) ||
    (words.every((word) => isPlainWord(word)) && words.some(isStateWord)) ||
    endsInSecret(text)
  );
}

/** Matches the name of a header that begins with `X-`: `X-Api-Key`. */
const HEADER = /^(?:X(?:-[A-Z][A-Za-z]*){2,}|x(?:-[a-z]+){2,})$/;
const CONSTANT = /^[A-Z]+(?:_[A-Z]+)+$/;
const LABEL = /^\p{Lu}[\p{L}\p{M}]*(?:[ '’][\p{L}\p{M}]+)+ ?[?!:*.…]?$/u;

/** Schemes of the header Authorization. The text after a scheme is a secret, even if the text is a word. */
const SCHEME = /^(?:basic|bearer|bot|digest|hawk|negotiate|ntlm|token|api-?key)\b/i;

/** True for a text about a secret: a label such as `Your password`, an error's code such as `PASSWORD_MISMATCH`. */
function describesSecret(text: string): boolean {
  if (text.length > MAX_LABEL || SCHEME.test(text) || !(LABEL.test(text) || CONSTANT.test(text)))
    return false;
  // The text is the name of a variable: `{passwordEnv: 'DB_PASSWORD'}`.
  if (CONSTANT.test(text) && endsInSecret(text)) return true;
  return text.split(/[ _?!:*.…]+/).some(isStateWord) && hasSecretName(text);
}

const COOKIES = /^[\w.-]+=[\w.%-]*(?:;\s*[\w.-]+(?:=[^;]*)?)*;?$/;
const ATTRIBUTES = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)$/i;

/**
 * True for cookies that keep settings. Each of them has the name of a setting and a typical value. Attributes such as `path` are ignored.
 */
function areSettings(text: string): boolean {
  return (
    text.length <= MAX_COOKIES &&
    COOKIES.test(text) &&
    text.split(/;\s*/).every((cookie) => {
      const [name = '', value = ''] = cookie.split('=');
      return ATTRIBUTES.test(name) || (SETTING_NAMES.test(name) && isSetting(value));
    })
  );
}

const MAX_COOKIES = 512;
const SETTING_NAMES =
  /^(?:[a-z]{1,16}[_-])?(?:theme|status|lang(?:uage)?|locale|density|currency|country|region|tz|timezone|colou?r\w*|mode|consent|view|layout|sidebar|font\w*|dark\w*)$/i;
const SETTING = /^(?:[a-z]{1,12}(?:[-_][A-Za-z]{2,12})*|[A-Z]{2,3}|\d{0,3})$/;
const MAX_SHORT_SETTING = 4;
const SETTING_WORDS = new Set(
  `dark light black white auto automatic system default compact comfortable cozy dense normal small medium large wide narrow full grid list table cards left right top bottom
  open closed collapsed expanded hidden shown visible accepted accept rejected reject granted denied allowed necessary essential functional analytics marketing all none
  enabled disabled dismiss dismissed active inactive true false online offline away busy contrast desktop mobile tablet oscuro claro dunkel hell sombre clair escuro`.split(
    /\s+/,
  ),
);

/** True for a typical value of a setting: at most four characters, a locale such as `en-GB`, or a value with a word of `SETTING_WORDS`. */
function isSetting(value: string): boolean {
  return (
    SETTING.test(value) &&
    (value.length <= MAX_SHORT_SETTING ||
      /^[a-z]{2}[-_][A-Za-z]{2}$/.test(value) ||
      value.split(/[-_]/).some((word) => SETTING_WORDS.has(word)))
  );
}

const NAMED: ReadonlySet<NameVerdict> = new Set([
  'secret',
  'postal',
  'outcome',
  'header',
  'account',
  'texts',
  'holder',
  'holders',
]);

/** The name of a pin on a circuit board: `{pin: 'GPIO17'}`. */
const PIN_OF_BOARD = /^(?:(?:GPIO|ADC|PWM|TX|RX|SDA|SCL|IO)_?\d{0,3}|[AD]\d{1,2})$/;
/** The result of a comparison: `{passwordMatches: 'mismatch'}`. */
const COMPARED = /^(?:(?:mis)?match(?:es|ed)?|partial)$/i;

/** True for a state, or the result of a comparison, which is readable below a name such as `auth` or `passwordMatches`. */
function isResult(text: string): boolean {
  return isStateWord(text) || COMPARED.test(text);
}

/** A right that an access list grants: `{secrets: 'read-only'}`. */
const ACCESS = /^(?:read|write|view|edit|full|no)[-_ ](?:only|write|access|all)$/i;

/** True if a string under a secret's name stays readable, because it cannot be the secret. */
export function isShownText(verdict: NameVerdict, text: string): boolean {
  if (isMasked(text)) return true;
  if (verdict === 'container') return isResult(text);
  if (verdict === 'secret' && areSettings(text)) return true;
  if (verdict === 'holder' && PIN_OF_BOARD.test(text)) return true;
  return (
    NAMED.has(verdict) &&
    (describesSecret(text) ||
      ACCESS.test(text) ||
      isFilePath(text) ||
      (HEADER.test(text) && hasSecretName(text)))
  );
}
