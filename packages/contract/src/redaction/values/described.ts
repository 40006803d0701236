import { type CapturedValue, isTagged } from '../../values.ts';
import { isAboutWord } from '../names/names.ts';
import { splitWords } from '../names/split-words.ts';
import type { NameVerdict } from '../names/verdicts.ts';
import { looksSecret, mayBeSecret } from '../shapes/plausible.ts';
import { type Fields, isHidden, isList } from '../syntax/forms.ts';
import { isShownInContainer } from './containers.ts';
import { findNamingRole } from './naming.ts';
import type { Within } from './place.ts';
import type { Ownership } from './structure.ts';

/** Values below a secret's name that hold no secret, or hold the secret in a key. */

/** True for an id of an object of Twilio, which calls these ids `sid`: two capitals and 32 hexadecimal digits. Such an id is no secret. */
export function isAccountId(value: CapturedValue): boolean {
  return typeof value === 'string' && /^[A-Z]{2}[\da-f]{32}$/.test(value);
}

/** True for a list that describes secrets by their names: `{secrets: [{name: 'SMTP_PASS', createdAt: '2026-01-04'}]}`. */
export function areDescribed(value: CapturedValue): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    isList(value) &&
    value.every((item) => {
      if (typeof item !== 'object' || item === null || isTagged(item)) return false;
      const keys = Object.keys(item);
      return keys.some((key) => findNamingRole(key) !== undefined) && keys.every(isAboutSecret);
    })
  );
}

/** True for a member that describes the secret beside it: its name, its time, its state. */
function isAboutSecret(key: string): boolean {
  return (
    findNamingRole(key) !== undefined || isShownInContainer(key) || isAboutWord(splitWords(key).at(-1) ?? '')
  );
}

/** True for the key of a map that is itself a secret: `{tokens: {'9f8e7d6c5b4a': {user: 7}}}`. */
export function isKeyed(key: string): boolean {
  return key.length >= MIN_KEYED && /\d\D*\d\D*\d/.test(key) && looksSecret(key);
}

const MIN_KEYED = 12;

/** Tagged forms whose members are checked one by one. */
export const HOLDERS = new Set(['object', 'array', 'Map', 'Set', 'Error']);

/** Members of tagged forms that contain keywords instead of captured text. */
export const NOT_CAPTURED = new Set(['$type', 'flags', 'reason']);

/** True for objects and lists. Their members are examined even among credentials, while other tagged forms are hidden as a whole. */
export function isLookedInto(value: CapturedValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return !isTagged(value) || value.$type === 'object' || value.$type === 'array';
}

/** True for objects and lists that are not in a tagged form. The SDK can decide this without capturing the value. */
function isPlain(value: CapturedValue): boolean {
  return typeof value === 'object' && value !== null && !isTagged(value);
}

const OF_ADDRESS = ['city', 'street', 'district', 'address', 'line1', 'addressLine1', 'town'];

/** True if the fields are those of an address, since one of them is a city, a street or the like. */
export function isAddress(fields: Fields): boolean {
  return OF_ADDRESS.some((name) => Object.hasOwn(fields, name));
}

const OWNED_KEYS = new Set(['key', 'keys']);
const OWNED_CODES = new Set(['code', 'codes']);
/** The key of a cache: `user-1001`. */
const CACHE_KEY =
  /^(?:user|order|cart|product|item|page|post|customer|account|tenant|project|invoice|cache|job|task|report)s?[-_:]\d{1,8}$/;

/** True for a member that can be a secret because of the object that contains it: `{mfa: {code: '482913'}}`, `{stripe: {key: 'X'}}`. */
export function isOwned(name: string, owner: Exclude<Ownership, undefined>, value: CapturedValue): boolean {
  if (owner === 'owner') return OWNED_KEYS.has(name) || OWNED_CODES.has(name);
  return OWNED_KEYS.has(name) && !(owner === 'api' && typeof value === 'string' && CACHE_KEY.test(value));
}

export const SESSION_IDS = new Set(['id', '_id', 'sid', 'ID']);

/**
 * Names below which a sentence is the message of a validator. Names of recovery phrases and security answers are left out, because these
 * secrets are sentences themselves.
 */
export const VALIDATED_NAME =
  /passw|pwd|token|senha|contrase|kennwort|mdp|sifre|haslo|heslo|wachtwoord|parola/i;

/** Matches names that begin like a common header: `Accept-Encoding`, `X-Api-Key`. */
const HEADER =
  /^(?:accept|authorization|cache|connection|content|cookie|host|if|origin|referer|sec|set|user|x)(?:-[a-z\d]{1,16}){0,6}$/i;

/**
 * True if a string in the place of a header's name is hidden. A name that begins like a common header stays visible. `within` credentials,
 * every other name is hidden; `within` a likely secret, only a name that can itself be a secret.
 */
export function hidesHeaderName(name: string, within: Within): boolean {
  return (
    (within === 'credentials' && !HEADER.test(name)) ||
    (within === 'likely' && !HEADER.test(name) && mayBeSecret(name))
  );
}

export function isLeaf(value: CapturedValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

export function startsWithDash(value: CapturedValue): boolean {
  return typeof value === 'string' && value.startsWith('-');
}

/** True for a text, and for a text or a number that redaction has already hidden. */
export function isText(value: CapturedValue): boolean {
  return typeof value === 'string' || isHidden(value, 'string') || isHidden(value, 'number');
}

/**
 * True if an object or a list below a name such as `token` or `pin` can hold something else than the secret. A list with a text or number
 * below a singular name is the secret in parts, such as the digits of a PIN.
 */
export function canHoldOthers(value: CapturedValue, verdict: NameVerdict): boolean {
  const isInParts = Array.isArray(value) && value.some((item) => typeof item === 'number' || isText(item));
  return isPlain(value) && !(verdict === 'holder' && isInParts);
}
