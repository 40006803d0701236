import { type CapturedValue, isTagged } from '../../values.ts';
import { looksSecret } from '../shapes/plausible.ts';
import { isList } from '../syntax/forms.ts';
import { findNamingRole, findValueRole } from './naming.ts';

/** Values below a secret's name that hold no secret, or hold the secret in a key. */

/** Twilio calls the ids of its objects `sid`. */
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
      return (
        keys.some((key) => findNamingRole(key) !== undefined) &&
        keys.every((key) => findValueRole(key) === undefined)
      );
    })
  );
}

/** True for the key of a map that is itself a secret: `{tokens: {'9f8e7d6c5b': {user: 7}}}`. */
export function isKeyed(key: string): boolean {
  return key.length >= MIN_KEYED && /\d\D*\d\D*\d/.test(key) && looksSecret(key);
}

const MIN_KEYED = 12;

/** Tagged forms whose members are judged one by one. */
export const HOLDERS = new Set(['object', 'array', 'Map', 'Set', 'Error']);

/** True for objects and lists. Their members are examined even among credentials, while other tagged forms are hidden as a whole. */
export function isLookedInto(value: CapturedValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return !isTagged(value) || value.$type === 'object' || value.$type === 'array';
}

/** True for objects and lists that are not in a tagged form. The SDK knows without capturing a value if it is one. */
export function isPlain(value: CapturedValue): boolean {
  return typeof value === 'object' && value !== null && !isTagged(value);
}
