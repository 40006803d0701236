import { isPlaceholder, isStateWord, looksSecret } from '../shapes/plausible.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { findPair } from './logins.ts';
import { toMatchedPart } from './matched-part.ts';
import { isNameAsValue } from './names-as-values.ts';

/** Names of functions and commands that log in with a user and a password. */
export const LOGIN_CALLS =
  'login logon bind authenticate authenticating signin setuser identify addlogin addapprole setapprole addlinkedsrvlogin chpasswd';

/** IMAP: `a1 LOGIN "ada" "X"` */
const IMAP =
  /^ (?:"[^"\r\n]{1,100}"|[^\s"]{1,100}) (?:"([^"\r\n‹]{3,128})"|([^\s"'‹]{3,128})(?=\\?[\r\n]|\\r|$))/;
/** Redis: `ACL SETUSER worker on >X` */
const SET_USER = /^["']?(?: \S{1,64}){1,8}? ["']?>([^\s"'‹]{3,128})/;
/** IRC: `NickServ IDENTIFY X` */
const IDENTIFY = /^ (?:[\w-]{1,32} )?([^\s"'‹]{4,128})(?=\s*$|\r|\n)/;
const VAULT = /^ ([\w.-]{16,128})(?=\s|$)/;

/** Finds the password in a command. The command's word of {@link LOGIN_CALLS} is from `start` to `end`. */
export function findLoginCall(scan: TextScan, start: number, end: number): Part | undefined {
  const { text } = scan;
  const before = text.slice(Math.max(0, start - 16), start);
  const rest = text.slice(end, end + 340);
  if (text.startsWith('chpasswd', start)) return findPipedLogin(text, start);
  if (before.endsWith('sp_')) return findProcedureArgument(text, start, end);
  if (before.endsWith('vault ')) return toMatchedPart(end, VAULT.exec(rest));
  if (text.startsWith('SETUSER', start)) {
    // If the command is a JSON list of arguments, the password is another item. `hasNoun` causes the parsed list to be redacted.
    scan.hasNoun = true;
    return toMatchedPart(end, SET_USER.exec(rest));
  }
  if (text.startsWith('IDENTIFY', start)) return toMatchedPart(end, IDENTIFY.exec(rest));
  if (text.startsWith('LOGIN', start) && /(?:^|\s)[A-Za-z]{0,4}\d{1,6} $/.test(before))
    return toMatchedPart(end, IMAP.exec(rest));
  return findPair(text, end) ?? findLoginWith(text, end);
}

const PIPED_LOGIN =
  /\b(?:echo|printf)\s(?:-[en]\s)?["']?[\w.@-]{1,64}:([^\s"'‹|]{3,128})["']?\s{0,2}\|[^|‹\r\n]{0,40}$/;

/** Finds the password in `echo "ada:X" | chpasswd`, whose last word begins at `start`. */
function findPipedLogin(text: string, start: number): Part | undefined {
  const from = Math.max(0, start - 260);
  const found = PIPED_LOGIN.exec(text.slice(from, start));
  const value = found?.[1];
  if (found === null || value === undefined || isPlaceholder(value)) return undefined;
  const begins = from + found.index + found[0].indexOf(`:${value}`) + 1;
  return { start: begins, end: begins + value.length };
}

/** Quoted arguments of a procedure of SQL Server: `sp_addlogin 'ada', 'X'`. */
const ARGUMENTS = /^\s{1,4}(?:N?'[^'\r\n]{0,128}'|\w{1,32})\s{0,4},\s{0,4}N?'([^'\r\n‹]{1,128})'/i;
const LAST_OF_FIVE = /^\s{1,4}(?:(?:N?'[^'\r\n]{0,128}'|\w{1,32})\s{0,4},\s{0,4}){4}N?'([^'\r\n‹]{1,128})'/i;

function findProcedureArgument(text: string, start: number, end: number): Part | undefined {
  const pattern = text.charAt(end - 1) === 'n' && end - start > 8 ? LAST_OF_FIVE : ARGUMENTS;
  const found = pattern.exec(text.slice(end, end + 420));
  return isNameAsValue((found?.[1] ?? '').trim()) ? undefined : toMatchedPart(end, found);
}

/** The old and the new password of `sp_password 'X', 'Y', 'ada'`. */
const OLD_AND_NEW = /^\s{1,4}(?:N?'([^'\r\n‹]{1,128})'|null)\s{0,4},\s{0,4}N?'([^'\r\n‹]{1,128})'/i;

/** Finds the passwords of `sp_password`, whose last word is from `start` to `end`. */
export function findChangedPassword(scan: TextScan, start: number, end: number): Part | undefined {
  const { text } = scan;
  if (!text.startsWith('sp_', start - 3) || (scan.pending?.length ?? 0) > 0) return undefined;
  const found = OLD_AND_NEW.exec(text.slice(end, end + 280));
  if (found === null || isNameAsValue((found[2] ?? '').trim())) return undefined;
  const after = toMatchedPart(end, found, found[2]);
  if (found[1] === undefined) return after;
  const from = end + found[0].indexOf(found[1]);
  if (after !== undefined) scan.pending = [after];
  return { start: from, end: from + found[1].length };
}

/** `login with ada / X`. A text that goes on after the second word names two persons or programs: `login with ada / bob failed`. */
const LOGIN_WITH =
  /^ (?:with|as|using) (?:user |account )?["'`]?([\w.@+-]{2,48})["'`]? ?\/ ?["'`]?([^\s"'`,;‹/]{4,64}?)["'`]?[.!)]?(?=\s{0,4}(?:$|[\r\n"'`,;)|]))/i;
/** Services, programs and ways to log in. A sentence can name two of these instead of user and password: `login with google / github`. */
const OTHER_LOGINS =
  /^(?:google|github|gitlab|facebook|meta|apple|microsoft|azure|entra|twitter|linkedin|amazon|okta|auth0|keycloak|sso|saml|ldap|oidc|oauth2?|openid|jwt|otp|totp|[2m]fa|passkeys?|webauthn|magic|e?mail|phone|sms|pin|code|app|chrome|firefox|safari|edge|opera|browser|web|mobile|android|ios|windows|linux|macos|desktop|username|user|password|admin|guest|mode|customer|merchant|owner|manager|editor|viewer|student|teacher|card|invoice|steam|discord|kerberos|ntlm|wechat|alipay|face|fingerprint|header|query|certificate|token|host|port|account|session|logout|signup|register|true|false)$/i;

/** Finds the password in `login with ada / X`, if the text or a part of it, such as a line, ends after the password. */
function findLoginWith(text: string, end: number): Part | undefined {
  const found = LOGIN_WITH.exec(text.slice(end, end + 180));
  const [whole = '', user = '', value = ''] = found ?? [];
  if (
    found === null ||
    isNameAsValue(value) ||
    OTHER_LOGINS.test(value) ||
    isStateWord(value) ||
    isPlaceholder(value)
  )
    return undefined;
  if ((OTHER_LOGINS.test(user) && !/^(?:admin|user|guest)$/i.test(user)) || isStateWord(user))
    return undefined;
  const start = end + whole.lastIndexOf(value);
  return { start, end: start + value.length };
}

/** Returns the range of the captured text, but only if the text looks like a secret. */
function toLikelyPart(from: number, found: RegExpExecArray | null): Part | undefined {
  return looksSecret(found?.[1] ?? found?.[2] ?? '') ? toMatchedPart(from, found) : undefined;
}

/** SMTP: `AUTH PLAIN X`; SNMP: `auth sha X`. */
const MECHANISM =
  /^ (?:(?:PLAIN|LOGIN|XOAUTH2) ([\w+/=]{8,400})|(?:md5|sha(?:-?\d{1,3})?) ([^\s"'‹]{8,128}))(?=\s|\\|$)/;
/** The command AUTH in a log of Redis and in its protocol: `"AUTH" "X"`, `AUTH\r\n$1\r\nX\r\n`. */
const AUTH =
  /^(?:"\s(?:"[\w.-]{1,40}"\s)?"|(?:\r\n|\\r\\n)\$\d{1,4}(?:\r\n|\\r\\n)(?:[\w.-]{1,40}(?:\r\n|\\r\\n)\$\d{1,4}(?:\r\n|\\r\\n))?)([^\s"\\‹]{3,200})(?=["\r\\])/;
/** A login: `auth ada:X` */
const USER = /^ [\w.@+-]{2,64}:([^\s"'‹/]{6,128})/;

/** Finds the credentials after the word `auth`, which ends at `end`. */
export function findMechanism(text: string, end: number): Part | undefined {
  const rest = text.slice(end, end + 420);
  return (
    toMatchedPart(end, MECHANISM.exec(rest)) ??
    toMatchedPart(end, AUTH.exec(rest)) ??
    findUserPassword(rest, end) ??
    findPair(text, end)
  );
}

/** Finds the password in `basic ada:X` and `auth ada:X`; `rest` is the text from `end`. */
export function findUserPassword(rest: string, end: number): Part | undefined {
  return toLikelyPart(end, USER.exec(rest));
}
