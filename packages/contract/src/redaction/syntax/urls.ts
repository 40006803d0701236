import { findRunEnd, isDigit, REDACTED_MARK } from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';

/**
 * Characters that cannot occur in a URL with credentials: spaces, quotes, and the mark of a redacted part.
 */
const BROKEN = Uint8Array.from({ length: 128 }, (_, code) => {
  return code <= 0x20 || '"\'<>`'.includes(String.fromCharCode(code)) ? 1 : 0;
});

function isUnbroken(code: number): boolean {
  return code < 128 ? BROKEN[code] === 0 : code !== REDACTED_MARK;
}

function isAuthority(code: number): boolean {
  return code !== 0x2f && code !== 0x3f && code !== 0x23 && isUnbroken(code);
}

/**
 * Finds the user and password in a URL whose authority begins at `start`: `postgres://user:password@host`.
 */
export function findUrlCredentials(scan: TextScan, start: number): Part | undefined {
  const { text } = scan;
  const end = findRunEnd(text, start, isAuthority);
  const at = text.slice(start, end).lastIndexOf('@');
  if (at > 0)
    return isUserAlone(text, start, at) || VARIABLE.test(text.slice(start, start + at))
      ? undefined
      : { start, end: start + at };
  if (at === 0 || text.charCodeAt(start) === 0x5b || start < scan.noSignBefore) return undefined;
  // An unescaped slash in a password ends the authority too early. Text after the colon that is not a number is not a port, but the
  // beginning of such a password.
  const colon = text.slice(start, end).indexOf(':');
  if (colon < 1 || findRunEnd(text, start + colon + 1, isDigit) >= end) return undefined;
  const blank = findRunEnd(text, end, isUnbroken);
  const late = text.slice(start, blank).lastIndexOf('@');
  if (late > 0) return { start, end: start + late };
  scan.noSignBefore = blank;
  return undefined;
}

/** A variable in place of the password: `app:${PGPASSWORD}`. */
const VARIABLE = /^[\w.-]{0,64}:\$\{\w{1,64}\}$/;

const DATABASE = /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|amqps?|ssh|sftp|ftp|jdbc:\w{2,12})$/i;

/** True for the user of a database, if no password follows. False for the user of a web address, because this user can be a token. */
function isUserAlone(text: string, start: number, length: number): boolean {
  return (
    length <= 32 &&
    /^[a-z][a-z_-]*$/.test(text.slice(start, start + length)) &&
    DATABASE.test(text.slice(Math.max(0, start - 24), start - 3))
  );
}
