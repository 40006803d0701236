import type { CapturedValue } from '../../../values.ts';
import { REDACTED_TEXT } from '../../texts/characters.ts';
import { isNameLike } from '../../values/structure.ts';

/** Commands of Redis as lists of their arguments: `['SET', 'user:7:token', 'X']`. */

type Command = readonly CapturedValue[];

const MAX_NAME = 8;
const KEY = /^[\w.-]{1,40}(?::[\w.@+-]{1,40}){1,4}$/;

/**
 * True for a key of Redis in which a part is a secret's name (`isName`): `user:7:token`. An earlier redaction can have hidden other parts.
 */
export function isStoredName(shown: string, isName: (part: string) => boolean): boolean {
  const key = shown.replaceAll(REDACTED_TEXT, 'x');
  return KEY.test(key) && key.split(':').some((part) => isNameLike(part) && isName(part));
}

function readName([name]: Command): string {
  return typeof name === 'string' && name.length <= MAX_NAME ? name.toLowerCase() : '';
}

/**
 * Returns the index of the item that can name the item at `index`. In `SETEX key seconds value`, the lifetime is between the name and the
 * value.
 */
export function indexOfName(list: Command, index: number): number {
  return index === 3 && /^p?setex$/.test(readName(list)) ? 1 : index - 1;
}

/**
 * True if a command stores the item at `index` under the name at `indexOfName`. If that name is the name of a secret, the item is a secret
 * even if it looks like an ordinary word. In lists of fields or of keys (HSET, MSET), the value of a session does not count: see
 * `namesSession`.
 */
export function isStored(list: Command, index: number): boolean {
  const isOdd = index % 2 === 1;
  switch (readName(list)) {
    case 'setex':
    case 'psetex':
      return index === 3;
    case 'set':
    case 'setnx':
    case 'getset':
    case 'append':
      return index === 2;
    case 'mset':
    case 'msetnx':
      return !isOdd && !namesSession(list[index - 1]);
    case 'hset':
    case 'hmset':
    case 'hsetnx':
      return isOdd && index > 2 && !namesSession(list[index - 1]);
    case 'config':
      return isOdd && index > 2 && isWord(list[1], 'set');
    default:
      return false;
  }
}

/**
 * True for a key or field that names a session, such as `session:7`, and contains no word such as `token` or `password`. A single word that
 * is stored there, such as `mobile`, usually describes the session and is not a secret.
 */
function namesSession(name: CapturedValue | undefined): boolean {
  return typeof name === 'string' && SESSION.test(name) && !OTHER_SECRET.test(name);
}

const SESSION = /(?:^|:)sessions?(?:$|:)/i;
const OTHER_SECRET = /pass|pwd|token|secret|key|otp|pin|code|auth|cookie/i;

/** True for the name of a subcommand that sets the password of a user: `['ACL', 'SETUSER', 'ada', 'on', '>X']`. */
export function setsUser(item: string): boolean {
  return item.length === SETS_USER.length && item.toLowerCase() === SETS_USER;
}

const SETS_USER = 'setuser';

/** True if the item is a password of a Redis user. `>X` adds the password X to the user, and `<X` removes it. */
export function isPasswordOfUser(list: Command, item: CapturedValue): boolean {
  return (
    typeof item === 'string' && /^[<>]./.test(item) && isWord(list[0], 'acl') && isWord(list[1], SETS_USER)
  );
}

function isWord(item: CapturedValue | undefined, word: string): boolean {
  return typeof item === 'string' && item.length === word.length && item.toLowerCase() === word;
}
