import type { CapturedValue } from '../../values.ts';
import { hasSecretName } from '../names/names.ts';
import { isLongId, isStateWord, isWords, looksSecret } from '../shapes/plausible.ts';
import { isHidden } from '../syntax/forms.ts';
import { REDACTED_TEXT } from '../texts/characters.ts';
import { isRuleWord } from './lists.ts';
import { findNamingRole, findValueRole, isMessage } from './naming.ts';

type Fields = { readonly [key: string]: CapturedValue };

const RAW_HEADERS = ['rawHeaders', 'rawTrailers'];

/** Members of a log of changes: `{field: 'password', before: 'X', after: 'Y'}`. */
export const CHANGED: ReadonlySet<string> = new Set(['before', 'after', 'from', 'to']);

/** True if siblings can show that the value under this name is a secret. For most names they cannot. */
export function dependsOnNeighbours(key: string): boolean {
  return (
    findValueRole(key) !== undefined ||
    CHANGED.has(key) ||
    PRIVATE_PARTS.has(key) ||
    SALTED.has(key) ||
    key === 'code' ||
    key === 'key' ||
    key === 'keys' ||
    isRawHeaders(key)
  );
}

/** Names of objects whose members `key` and `code` can be secrets: `{mfa: {code: '482913'}}`, `{encryption: {key: 'X'}}`. */
const OWNERS =
  /^(?:mfa|2fa|twoFactor|two_factor|otp|sms|verification|verify|wifi|wpa|encryption|cipher|aes|signing|hmac)(?:Config|Settings|Options|_config|_settings|_options)?$/i;
/** Names of objects whose member `key` can be a secret. The member `code` of such an object is the code of an error. */
const KEY_OWNERS =
  /^(?:crypt|stripe|openai|twilio|sendgrid|mailgun|algolia)(?:Config|Settings|Options|_config|_settings|_options)?$/i;
/** Like {@link KEY_OWNERS}, but the member `key` can also be a key of a cache. */
const API = /^api(?:Config|Settings|Options|_config|_settings|_options)?$/i;
const MAX_OWNER = 24;

/**
 * The members of an object that can be secrets because of the object's name: `key` and `code` (`owner`), or only `key` (`key owner`,
 * `api`).
 */
export type Ownership = 'owner' | 'key owner' | 'api' | undefined;

export function findOwnership(key: string): Ownership {
  if (key.length > MAX_OWNER) return undefined;
  if (OWNERS.test(key)) return 'owner';
  return KEY_OWNERS.test(key) ? 'key owner' : API.test(key) ? 'api' : undefined;
}

/** True for the names of lists that alternate names and values: `rawHeaders`, `rawTrailers`. */
export function isRawHeaders(key: string): boolean {
  return RAW_HEADERS.includes(key);
}

/**
 * Role of a member's key for other members. `naming`: the member's text is the name of a sibling value. `label`: the text is the label of a
 * sibling value. `keys`: the key is `keys`, or the members `key` and `code` of the value can be secrets. `type of key`: the object that
 * contains the member is a key (a JSON Web Key, a key with its salt or initialization vector) or an OAuth code with the type of its grant.
 */
export type RoleOfKey = 'naming' | 'label' | 'keys' | 'type of key';

/** Returns the {@link RoleOfKey} of a name. Returns undefined for most names. */
export function findKeyRole(key: string): RoleOfKey | undefined {
  if (key === 'keys' || findOwnership(key) !== undefined) return 'keys';
  if (key === KEY_TYPE || key === SALT || key === VECTOR || OAUTH_SIBLINGS.has(key) || KMS_SIBLING.test(key))
    return 'type of key';
  const role = findNamingRole(key);
  return role === undefined || role === 'name' ? role && 'naming' : 'label';
}

const NAME = /^[\p{L}\p{M}\p{N}_\-.[\]$@]+(?: [\p{L}\p{M}\p{N}_-]+){0,4}$/u;

/** True if a string is written like a name. */
export function isNameLike(text: string): boolean {
  return text.length <= MAX_NAME && NAME.test(text);
}

/** Returns the name that a string gives to a sibling value: the string itself, or the last part of a path such as `/prod/db/password`. */
export function readNaming(text: string): string | undefined {
  // A text with a hidden part gives no name, because it can have been too long for a name before it was redacted.
  if (text.length > MAX_NAME || text.includes(REDACTED_TEXT)) return undefined;
  const name = text.slice(text.lastIndexOf('/') + 1);
  return NAME.test(name) ? name : undefined;
}

const MAX_NAME = 64;

/** Siblings that show that `keys` contains keys for signing cookies: in Koa's application, Keygrip, or cookie-session's options. */
const SIGNING_SIBLINGS = [
  'subdomainOffset',
  'signed',
  'httpOnly',
  'overwrite',
  'maxAge',
  'algorithm',
  'cookieName',
  'sameSite',
];
const SIGNING_CLASSES = new Set(['Koa', 'Application', 'Keygrip', 'Cookies']);

export function isSigningKeys(fields: Fields, className: string | undefined): boolean {
  if (className !== undefined && SIGNING_CLASSES.has(className)) return true;
  return SIGNING_SIBLINGS.some((name) => Object.hasOwn(fields, name));
}

/**
 * Names of members that are secret if they have certain siblings: a password's hash beside its salt, a key beside an initialization vector.
 */
const SALTED: ReadonlySet<string> = new Set(['hash', 'digest', 'verifier', 'derivedKey']);
const SALT = 'salt';
const VECTOR = 'iv';

/** Members beside which `code` is an authorization code of OAuth. */
const OAUTH_SIBLINGS: ReadonlySet<string> = new Set([
  'grant_type',
  'grantType',
  'session_state',
  'redirect_uri',
  'redirectUri',
]);

function isAuthorizationCode(fields: Fields): boolean {
  const { code } = fields;
  if (typeof code !== 'string' || !looksSecret(code)) return false;
  for (const name of OAUTH_SIBLINGS) if (Object.hasOwn(fields, name)) return true;
  return false;
}

/** Members of a request to, or a result of, a key management service, beside which the plaintext is a secret. */
const KMS_SIBLING = /^(?:keyId|ciphertextBlob|encryptionAlgorithm|plaintextCrc32c)$/i;

function isSalted(key: string, fields: Fields): boolean {
  return key === 'key' ? Object.hasOwn(fields, VECTOR) : SALTED.has(key) && Object.hasOwn(fields, SALT);
}

const KEY_TYPE = 'kty';
/** The private members of a JSON Web Key (RFC 7518). */
export const PRIVATE_PARTS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']);
export const MAX_PART_NAME = 3;

export function isPrivatePart(key: string, fields: Fields): boolean {
  if (key.length <= MAX_PART_NAME && PRIVATE_PARTS.has(key) && Object.hasOwn(fields, KEY_TYPE)) return true;
  if (key === 'code') return isAuthorizationCode(fields);
  if (key === 'Plaintext' || key === 'plaintext')
    return Object.keys(fields).some((name) => KMS_SIBLING.test(name));
  return isSalted(key, fields);
}

/** Keywords of JSON Schema and OpenAPI that hold no value of the described member. */
const SCHEMA_KEYWORDS = new Set(
  'type format minLength maxLength minimum maximum required nullable readOnly writeOnly deprecated scheme bearerFormat in optional description title'.split(
    ' ',
  ),
);
const SCHEMA_TEXTS = new Set(['description', 'title']);
const SCHEMA_TYPES = new Set(
  'string number integer boolean object array null http apiKey oauth2 openIdConnect mutualTLS'.split(' '),
);

/** True for the schema of a member, which describes a secret and holds none: `{password: {type: 'string', minLength: 8}}`. */
export function isSchema(value: CapturedValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.entries(value);
  return (
    members.length > 1 &&
    members.every(
      ([key, member]) =>
        SCHEMA_KEYWORDS.has(key) &&
        (typeof member !== 'object' || member === null) &&
        (typeof member !== 'string' ||
          SCHEMA_TYPES.has(member) ||
          (SCHEMA_TEXTS.has(key) ? member.includes(' ') : /^[a-z][a-z-]{1,19}$/i.test(member))),
    ) &&
    members.some(([key, member]) => key === 'type' && typeof member === 'string' && SCHEMA_TYPES.has(member))
  );
}

const MAX_SCHEMA = 400;

/** True for the JSON of a schema from `start` to `end`, as in `"password":{"type":"string","minLength":8}`. */
export function isSchemaText(text: string, start: number, end: number, escapes: number): boolean {
  if (escapes > 1 || end - start > MAX_SCHEMA) return false;
  const json = text.slice(start, end);
  if (!json.includes('type')) return false;
  try {
    return isSchema(JSON.parse(escapes === 0 ? json : json.replaceAll('\\"', '"')));
  } catch {
    return false;
  }
}

/** True for the messages of a validator, which are sentences: `{password: ['must be at least 8 characters long']}`. */
export function areMessages(value: CapturedValue): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item: CapturedValue) => typeof item === 'string' && isMessage(item))
  );
}

/** True for a list of name-value pairs: `[["password", "X"]]`. */
export function isListOfPairs(list: readonly CapturedValue[]): boolean {
  return list.length > 0 && list.every(isPair);
}

/** True for a name and its value. An earlier redaction can have hidden the name. */
export function isPair(item: CapturedValue): item is Pair {
  return (
    Array.isArray(item) && item.length === 2 && (typeof item[0] === 'string' || isHidden(item[0], 'string'))
  );
}

/** A name and its value. */
export type Pair = readonly [CapturedValue, CapturedValue];

/**
 * True if the item after a name in a list is a number, or looks like the name's value, and not like an ordinary item such as the name of
 * another field.
 */
export function isValueInList(value: CapturedValue): boolean {
  if (typeof value !== 'string') return typeof value === 'number';
  return (looksSecret(value) && !isWords(value) && !MEMBER_PATH.test(value)) || isLongId(value);
}

/** The path of a member, which can end with a secret's name: `*.password`. */
const MEMBER_PATH = /^[*a-z_]+(?:\.[*a-z_]+)+$/i;

/** Names of other fields, which stand beside a password's name in a list of fields: `['password', 'Email']`. */
const OTHER_FIELD = /^(?:email|user(?:name)?|login|name|phone|role|type|text|format|number|string)$/i;
const PASSWORD_NAME = /passw|pwd$|kennwort$/i;
/** A word as people choose it for a password. Names of fields and rules begin with a small letter. */
const CHOSEN_WORD = /^\p{Lu}[\p{Ll}\p{M}]{4,63}$/u;

const isOtherField = (word: string) => isRuleWord(word) || OTHER_FIELD.test(word);

/** True for two arguments if the first names a password and the second is a word: `['password', 'Sommer']`. */
export function isNamedWord([name, word, ...others]: readonly CapturedValue[]): boolean {
  if (typeof name !== 'string' || typeof word !== 'string' || others.length > 0) return false;
  if (!PASSWORD_NAME.test(name) || !/^(?:[a-z]|[A-Z_]+$)/.test(name) || !isNameLike(name)) return false;
  return CHOSEN_WORD.test(word) && !isStateWord(word) && !isOtherField(word) && !hasSecretName(word);
}

/**
 * Hides the secret part of a command's argument, which the arguments before it reveal: `['mysql', '-u', 'root', '-pX']`. Returns undefined
 * if there is none.
 */
export function hideArgument(
  list: readonly CapturedValue[],
  index: number,
  hide: (text: string) => string,
): string | undefined {
  const given = list[index];
  const before = list[index - 1];
  if (typeof given !== 'string' || given.length > MAX_ARGUMENT) return undefined;
  // Redacts the argument alone first, because the redaction at capture does the same before it knows the argument's neighbours.
  const argument = hide(given);
  if (typeof before === 'string' && before.startsWith('-') && before.length <= MAX_NAME) {
    const shown = hideBehind(before, argument, hide);
    if (shown !== undefined) return shown;
    const [program] = list;
    if (before.length === 2 && index > 1 && typeof program === 'string' && program.length <= MAX_NAME) {
      const whole = hideBehind(`${program} ${before}`, argument, hide);
      if (whole !== undefined) return whole;
    }
  }
  const [command] = list;
  if (!argument.startsWith('-') || typeof command !== 'string' || command.length > MAX_NAME) return undefined;
  const line = `${command} ${argument}`;
  const shown = hide(line);
  return shown === line || !shown.startsWith(`${command} `) ? undefined : shown.slice(command.length + 1);
}

const MAX_ARGUMENT = 4096;

/** Hides the part of an argument that is a secret because of the words before it. Returns undefined if there is no such part. */
function hideBehind(words: string, argument: string, hide: (text: string) => string): string | undefined {
  const quote = /["\\]/.test(argument) ? "'" : '"';
  const before = `${hide(words)} ${quote}`;
  const line = `${before}${argument}${quote}`;
  const shown = hide(line);
  if (shown === line || !shown.startsWith(before) || !shown.endsWith(quote)) return undefined;
  return hide(shown.slice(before.length, -1));
}
