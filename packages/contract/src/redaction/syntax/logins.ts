import { isPasswordLike, isPlaceholder, isPlainWord, isStateWord, looksSecret } from '../shapes/plausible.ts';
import type { Part } from '../texts/scan.ts';
import { toMatchedPart } from './matched-part.ts';

/** Matches the text that protocols and their logs print before a command: `> PASS X`, `C: PASS X`, `[12] PASS X`. */
const PROMPT = /(?:^|[\r\n]|\\r\\n|\\n)[\s>\-CS:\][\d]{0,16}$/;
const PASS = /^[ \t]{1,4}([^\s"'`‹]{3,256})[ \t]{0,4}(?=$|[\r\n"'`\\])/;

/** Finds the password after the command `PASS` of FTP, POP3, IRC or a Redis proxy. `start` and `end` are the bounds of the word `PASS`. */
export function findPassCommand(text: string, start: number, end: number): Part | undefined {
  if (!text.startsWith('PASS', start) || !PROMPT.test(text.slice(Math.max(0, start - 20), start)))
    return undefined;
  const password = PASS.exec(text.slice(end, end + 270))?.[1];
  if (password === undefined || isPlaceholder(password) || isStateWord(password)) return undefined;
  const from = end + text.slice(end, end + 8).search(/[^ \t]/);
  return { start: from, end: from + password.length };
}

/** A user and a password after a name that announces both: `creds are ada / X`, `user/pass: ada/X`, `login: ada:X`. */
const LOGIN =
  /^(?:\s{0,2}[:=]|\s(?:are|is|were|sind|son|sont))\s{0,3}["'`]?([\w.+@-]{1,40})["'`]?\s?[/:|,]\s?["'`]?([^\s"'`,;‹]{4,128})/;
/** Minimum length of a password that contains no sign, if a slash, bar or comma separates the password from the user: `admin / X`. */
const MIN_PLAIN = 12;
const PAIR =
  /^[^\r\n:]{0,32}?(?:[\s("'[]|: )(?:as |for |user |is |with )?([\w.+@\\-]{2,48})(?:(:)| ?[/|,] ?)["'`]?([^\s"'`,;‹/]{6,64})/;
/**
 * Matches the name of a user before a password's name, such as `user/` in `user/pass`. A user and a password follow such a pair of names.
 */
const BOTH = /(?:user(?:name)?|login|e?mail|account|id)\s?[/:|+&]\s?$/i;
const ANNOUNCES = new Set([
  'creds',
  'credentials',
  'zugangsdaten',
  'anmeldedaten',
  'identifiants',
  'credenciales',
  'credenciais',
  'credenziali',
  'inloggegevens',
]);

/** Finds the password in a login that follows the word from `start` to `end`. */
export function findLogin(text: string, start: number, end: number, word: string): Part | undefined {
  if (ANNOUNCES.has(word) || word.startsWith('log')) {
    const pair = findPair(text, end);
    if (pair !== undefined) return pair;
  }
  if (!ANNOUNCES.has(word) && !BOTH.test(text.slice(Math.max(0, start - 24), start))) return undefined;
  const found = LOGIN.exec(text.slice(end, end + 200));
  const [whole, user = '', password] = found ?? [];
  if (whole === undefined || password === undefined || isPlaceholder(password)) return undefined;
  // The pair of words describes a state instead of a login: `credentials: none/expired`.
  if (
    isStateWord(user) ||
    (isPlainWord(password) && isStateWord(password)) ||
    !(looksSecret(password) || /[\d-]/.test(password))
  )
    return undefined;
  const last = end + whole.length;
  return { start: last - password.length, end: last };
}

/**
 * Finds the password in a pair of user and password after the word that ends at `end`: `login is admin / X`, `credentials (bob, X)`, `auth
 * ws@shop:X`. Finds only a password with several kinds of characters.
 */
export function findPair(text: string, end: number): Part | undefined {
  const found = PAIR.exec(text.slice(end, end + 160));
  const password = found?.[3]?.replace(/[).]+$/, '');
  if (password === undefined || !isPasswordLike(password)) return undefined;
  const isOfAddress = found?.[1]?.includes('@') === true;
  return isOfAddress ||
    found?.[2] !== undefined ||
    /[!@#$%^&*?+~]/.test(password) ||
    password.length >= MIN_PLAIN
    ? toMatchedPart(end, found, password)
    : undefined;
}

const FOR =
  /^ (?:for|to|of) [\w.-]{1,32}(?: [\w.-]{1,32})?(?::| is) ?["'`]?([^\s"'`‹]{6,64}?)(?=[.,;!]?(?:[\s"'`]|$))/;
const OF_TRAVEL = /(?:boarding|train|bus|day|ski|season|lift|park|event)\s$/i;

/** Finds the password in `pass for staging: X`. */
export function findPassFor(text: string, start: number, end: number): Part | undefined {
  const found = FOR.exec(text.slice(end, end + 150));
  const password = found?.[1];
  if (password === undefined || !isPasswordLike(password)) return undefined;
  return OF_TRAVEL.test(text.slice(Math.max(0, start - 12), start))
    ? undefined
    : toMatchedPart(end, found, password);
}

const HTPASSWD =
  /^-[A-Za-z]{0,6}b[A-Za-z]{0,6}\s{1,4}(?:-[A-Za-z]\s{1,4}){0,2}[^\s-]\S{0,120}\s{1,4}\S{1,64}\s{1,4}(\S{3,128})/;

/** Finds the password of `htpasswd -b file user X`, whose first dash is at `at`. */
export function findHtpasswd(text: string, at: number): Part | undefined {
  if (!/\bhtpasswd\s{1,4}$/.test(text.slice(Math.max(0, at - 24), at))) return undefined;
  const found = HTPASSWD.exec(text.slice(at, at + 360));
  const password = found?.[1];
  if (found === null || password === undefined) return undefined;
  const end = at + found[0].length;
  return { start: end - password.length, end };
}
