import { looksSecret } from '../shapes/plausible.ts';
import type { Part } from '../texts/scan.ts';
import { findPair } from './logins.ts';
import { toMatchedPart } from './matched-part.ts';

/** Names of functions and commands that log in with a user and a password. */
export const LOGIN_CALLS = 'login logon bind authenticate authenticating signin setuser identify';

/** IMAP: `a1 LOGIN "ada" "X"` */
const IMAP =
  /^ (?:"[^"\r\n]{1,100}"|[^\s"]{1,100}) (?:"([^"\r\n‹]{3,128})"|([^\s"'‹]{3,128})(?=\\?[\r\n]|\\r|$))/;
/** Redis: `ACL SETUSER worker on >X`; IRC: `NickServ IDENTIFY X`. */
const SET_USER = /^["']?(?: \S{1,64}){1,8}? ["']?>([^\s"'‹]{3,128})/;
const IDENTIFY = /^ (?:[\w-]{1,32} )?([^\s"'‹]{4,128})(?=\s*$|\r|\n)/;
const VAULT = /^ ([\w.-]{16,128})(?=\s|$)/;

/** Finds the password in a command whose word is from `start` to `end`. */
export function findLoginCall(text: string, start: number, end: number): Part | undefined {
  const before = text.slice(Math.max(0, start - 16), start);
  const rest = text.slice(end, end + 340);
  if (before.endsWith('vault ')) return toMatchedPart(end, VAULT.exec(rest));
  if (text.startsWith('SETUSER', start)) return toMatchedPart(end, SET_USER.exec(rest));
  if (text.startsWith('IDENTIFY', start)) return toMatchedPart(end, IDENTIFY.exec(rest));
  if (text.startsWith('LOGIN', start) && /(?:^|\s)[A-Za-z]{0,4}\d{1,6} $/.test(before))
    return toMatchedPart(end, IMAP.exec(rest));
  return findPair(text, end);
}

/** Returns the captured secret only if it looks like one. */
function toLikelyPart(from: number, found: RegExpExecArray | null): Part | undefined {
  return looksSecret(found?.[1] ?? found?.[2] ?? '') ? toMatchedPart(from, found) : undefined;
}

/** SMTP: `AUTH PLAIN X`; SNMP: `auth sha X`; a login: `auth ada:X`. */
const MECHANISM =
  /^ (?:(?:PLAIN|LOGIN|XOAUTH2) ([\w+/=]{8,400})|(?:md5|sha(?:-?\d{1,3})?) ([^\s"'‹]{8,128}))(?=\s|\\|$)/;
/** The command AUTH in a log of Redis and in its protocol: `"AUTH" "X"`, `AUTH\r\n$1\r\nX\r\n`. */
const AUTH =
  /^(?:"\s(?:"[\w.-]{1,40}"\s)?"|(?:\r\n|\\r\\n)\$\d{1,4}(?:\r\n|\\r\\n)(?:[\w.-]{1,40}(?:\r\n|\\r\\n)\$\d{1,4}(?:\r\n|\\r\\n))?)([^\s"\\‹]{3,200})(?=["\r\\])/;
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
