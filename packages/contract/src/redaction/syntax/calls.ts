import { splitWords } from '../names/split-words.ts';
import {
  isLongId,
  isPasswordLike,
  isPlaceholder,
  isPlainWord,
  isStateWord,
  looksSecret,
} from '../shapes/plausible.ts';
import { findRunStart, isLetterOrDigit, isWordCharacter } from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';

/** Words in the names of functions. `LOGS_IN`: the function logs in or hashes a password. `TAKES_KEY`: the function takes a key. */
const LOGS_IN = /^(?:login|logon|signin|auth|authenticate|bind|bcrypt|crypt|hashpw|wallet)$/;
const TAKES_KEY = /^(?:hmac|encrypt|decrypt|cipher|cipheriv|jwt|fernet)$/;
/** Words in the names of functions that connect to something. Some of these functions take a password. */
const CONNECTS = /^(?:connect|pdo|mysqli|redis|smtp|imap|ftp|sftp|amqp|datasource)$/;
const CONSTRUCTED = /(?:PDO|mysqli|Redis|SMTP|Mailer|Soap\w*|\w*Client)(?:->|::)_?_?$/i;
const MAX_NAME = 40;
const MAX_ARGUMENTS = 240;
const LITERAL = /'([^'\n‹]{3,200})'|"([^"\n‹]{3,200})"|`([^`\n‹]{3,200})`/g;
/** Arguments that name an encoding, an algorithm or a mode. */
const OPTION =
  /^(?:utf-?(?:8|16)(?:le)?|ucs-?2|hex|base64(?:url)?|latin1|ascii|binary|pem|der|jwk|raw|spki|pkcs-?\d{1,2}|sec1|complete|compact|json|(?:non)?deterministic|randomized|encrypt|decrypt|sign|verify|aes-?(?:128|192|256)(?:-[a-z\d]{3,10})?|rsa(?:-(?:oaep|pss|sha\d{1,3}))?|sha-?\d{1,3}|md5|[hrep]s(?:256|384|512)|bcrypt|bf)$/i;
const CALL_END = /^\s*\)|\)\s*;/;

/** Finds secrets among the arguments of the call whose parenthesis is at `at`: `ldap.bind('cn=ada', 'X')`, `hashPassword('X')`. */
export function findArguments(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if (!isLetterOrDigit(text.charCodeAt(at - 1)) || (scan.pending?.length ?? 0) > 0) return undefined;
  const name = text.slice(findRunStart(text, at, isCalled, MAX_NAME), at);
  const words = splitWords(name);
  const takesKey = words.some((word) => TAKES_KEY.test(word));
  const logsIn = words.some((word) => LOGS_IN.test(word));
  const connects =
    words.some((word) => CONNECTS.test(word)) ||
    (words[0] === 'construct' && CONSTRUCTED.test(text.slice(Math.max(0, at - MAX_NAME), at - 9)));
  const isPlain = !takesKey && !logsIn && scan.names.judge(name) === 'plain';
  if (isPlain && !connects) return undefined;
  const list = text.slice(at + 1, at + MAX_ARGUMENTS);
  const parts: Part[] = [];
  let before = 0;
  let isLater = false;
  for (const { index, 0: literal, 1: single, 2: double, 3: tick } of list.matchAll(LITERAL)) {
    const between = list.slice(before, index);
    if (CALL_END.test(between)) break;
    isLater ||= between.includes(',');
    const value = single ?? double ?? tick ?? '';
    before = index + literal.length;
    if (OPTION.test(value)) continue;
    if (isPlain ? isLater && isPasswordLike(value) : isSecretArgument(value, isLater, takesKey))
      parts.push({ start: at + 2 + index, end: at + before });
  }
  if (parts.length === 0 && ENDS_IN_LOGIN.test(name)) return findPlainPassword(list, at + 1);
  const [first, ...others] = parts;
  if (others.length > 0) scan.pending = others;
  return first;
}

function isCalled(code: number): boolean {
  return isWordCharacter(code) || code === 0x2e;
}

function isSecretArgument(value: string, isLater: boolean, takesKey: boolean): boolean {
  return isPasswordLike(value) || isLongId(value) || (isLater && isLaterSecret(value, takesKey));
}

/**
 * True if an argument after the first one can be a secret. In a function that takes a key, an argument that is a plain word is a secret,
 * too.
 */
function isLaterSecret(value: string, takesKey: boolean): boolean {
  if (looksSecret(value)) return true;
  return takesKey && !isPlaceholder(value) && !isStateWord(value) && /^\w+$/.test(value);
}

/** Matches the names of functions that take a user and a password. */
const ENDS_IN_LOGIN = /(?:^|[._])(?:auth|log[io]n|signin|authenticate)$/i;
const USER_AND_PASSWORD =
  /^\s{0,4}(["'])([\w.@+-]{1,64})\1\s{0,2},\s{0,4}(["'])([^"'\n‹]{4,64})\3\s{0,4}[,)]/;
/** Arguments of login functions that are neither a user nor a password: `authenticate('local', …)`. */
const OTHER_WORDS =
  /^(?:jwt|local|google|github|facebook|apple|microsoft|oidc|oauth2?|session|saml|ldap|redirect|popup)$/i;
const OPTIONS = /^(?:admin|users?|callback|optional|required|credentials|email|dashboard)$/i;

/** Finds a password that is a plain word: `db.auth('shop', 'X')`. */
function findPlainPassword(list: string, start: number): Part | undefined {
  const found = USER_AND_PASSWORD.exec(list);
  const [whole, , user = '', , value = ''] = found ?? [];
  if (whole === undefined || OTHER_WORDS.test(user)) return undefined;
  if (OTHER_WORDS.test(value) || OPTIONS.test(value)) return undefined;
  if (isPlaceholder(value) || !isPlainWord(value) || isStateWord(value)) return undefined;
  const from = start + whole.lastIndexOf(value);
  return { start: from, end: from + value.length };
}
