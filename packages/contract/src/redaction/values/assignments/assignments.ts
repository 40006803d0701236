import { type FoundName, findName, judgeName } from '../../names/find-name.ts';
import type { NameRole } from '../../names/names.ts';
import { DECIDED_BY_VALUE } from '../../names/verdicts.ts';
import { isLongId, looksSecret, mayBeNamedBy } from '../../shapes/plausible.ts';
import { skipToValue } from '../../syntax/prose/value-starts.ts';
import { COLON, EQUALS, GREATER, isBlank, isDigit, isLineEnd } from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import { isOutcomeText } from '../held.ts';
import { countEscapes, readStringAt } from '../strings.ts';
import { MAX_PART_NAME, PRIVATE_PARTS } from '../structure.ts';
import { findValue } from './assigned-values.ts';
import { findNamedValue } from './named-values.ts';

const MAX_BLANKS = 64;

/**
 * Finds the secret value after the colon or equals sign at `at`. Usually a secret's name precedes the sign: `password: X`, `{"pin":1234}`,
 * `?token=X`, `SET password = 'X'`. The name can also be in another member, or the member can be a private part of a JSON Web Key.
 */
export function findAssigned(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  // `==` and `:=` are handled at their last sign; `::` is a cast.
  const next = text.charCodeAt(at + 1);
  if (next === EQUALS || next === COLON) return undefined;
  // The colon is part of a time, such as 12:30.
  if (isDigit(next) && isDigit(text.charCodeAt(at - 1)) && text.charCodeAt(at) === COLON) return undefined;
  const name = findName(text, at);
  if (name === undefined || (text.charCodeAt(at) === COLON && isInArn(text, name))) return undefined;
  const judged = scan.names.look(text.slice(name.start, name.end));
  const verdict = judgeName(scan, name, judged);
  const isPart = verdict === 'plain' && isPartOfKey(scan, name);
  if (verdict === 'plain' && judged.role === undefined && !isPart) return undefined;
  const start = startOfValue(text, at, name);
  if (isPart) return findString(text, start, name);
  if (verdict === 'plain') return findElsewhere(scan, name, start, judged.role);
  const sign = text.charCodeAt(at) === COLON ? ':' : '=';
  const part = findValue(scan, {
    start,
    name,
    verdict,
    sign,
    compares: sign === '=' && /[=!<>]/.test(text.charAt(at - 1)),
  });
  if (part === undefined) return undefined;
  if (verdict === 'outcome' && isOutcomeText(text, name.start, part)) return undefined;
  return DECIDED_BY_VALUE.has(verdict) && !mayBeNamedBy(verdict, text.slice(part.start, part.end))
    ? undefined
    : part;
}

const ARN = /(?:^|[^\w])(?:arn:aws[\w-]*|resolve):[\w.:/-]*$/;

/** True for a part of a resource's name: `arn:aws:secretsmanager:eu-west-1:1:secret:shop`. */
function isInArn(text: string, { start, quoted }: FoundName): boolean {
  return (
    !quoted && text.charCodeAt(start - 1) === COLON && ARN.test(text.slice(Math.max(0, start - 96), start))
  );
}

/** True if the name is that of a private member in a JSON Web Key. */
function isPartOfKey(scan: TextScan, { start, end }: FoundName): boolean {
  return end - start <= MAX_PART_NAME && PRIVATE_PARTS.has(scan.text.slice(start, end)) && scan.hasKeyType;
}

function findString(text: string, start: number, name: FoundName): Part | undefined {
  const string = readStringAt(text, start, name.quoted ? name.escapes : countEscapes(text, start));
  return string === undefined || string.end === string.start
    ? undefined
    : { start: string.start, end: string.end };
}

function startOfValue(text: string, at: number, name: FoundName): number {
  let start = at + 1;
  if (text.charCodeAt(start) === GREATER) start++;
  const limit = start + MAX_BLANKS;
  while (
    start < limit &&
    (isBlank(text.charCodeAt(start)) || (name.quoted && isLineEnd(text.charCodeAt(start))))
  )
    start++;
  return skipToValue(text, start);
}

/**
 * Finds a value whose name is in a sibling member, such as X in `"name":"password","value":"X"`, or the key of a service in a URL. For the
 * name `code`, finds only an OAuth code or a one-time code in a query string.
 */
function findElsewhere(scan: TextScan, name: FoundName, start: number, role: NameRole): Part | undefined {
  if (role !== 'code')
    return (
      findNamedValue(scan, name, start, role) ?? (role === 'naming' ? findKey(scan, name, start) : undefined)
    );
  // A value under the name `code` is a secret only in a query string, such as that of an OAuth provider's redirect.
  const isInQuery =
    name.start === 0
      ? !name.quoted && scan.text.charCodeAt(name.end) === EQUALS
      : /[?&]/.test(scan.text.charAt(name.start - 1));
  if (!isInQuery) return undefined;
  const { text } = scan;
  const isLogin = LOGIN_LINK.test(text.slice(Math.max(0, name.start - MAX_LOGIN_LINK), name.start));
  return isLogin ? findOneTimeNumber(text, start) : findAuthorizationCode(text, start);
}

const KEY_IN_URL = /^(?=[\w-]{0,64}\d)[\w-]{20,256}(?=[&#\s"']|$)/;
const KEY_NAME = /^(?:key|appid|app_id)$/i;
/** Matches addresses of APIs, in which the parameter `key` is the key of a service, not the key of a file or a cache. */
const OF_API = /\/\/[\w.-]*\bapi|\/(?:api|webhook|v\d|rest)\b|\/data\/\d/i;
const MAX_URL = 200;

/** Finds the key of a service in a URL: `?key=X`. Keys of files and caches have no random letters. */
function findKey({ text }: TextScan, { start: at, end }: FoundName, start: number): Part | undefined {
  if (!/[?&]/.test(text.charAt(at - 1)) || !KEY_NAME.test(text.slice(at, end))) return undefined;
  const key = KEY_IN_URL.exec(text.slice(start, start + 260))?.[0] ?? '';
  const isKey = isLongId(key)
    ? OF_API.test(text.slice(Math.max(0, at - MAX_URL), at))
    : /[a-z]/.test(key) && /[A-Z]/.test(key) && looksSecret(key);
  return isKey ? { start, end: start + key.length } : undefined;
}

const MAX_LOGIN_LINK = 96;
/** The end of a link that logs a person in, before the parameter `code`. */
const LOGIN_LINK = /(?:verify|otp|2fa|mfa|sign-?in|log-?in|confirm)[\w-]{0,16}\/?\?(?:[^\s?"'<>]{0,64}&)?$/i;

function findOneTimeNumber(text: string, start: number): Part | undefined {
  const code = /^\d{4,8}(?![\w.%-])/.exec(text.slice(start, start + 12))?.[0];
  return code === undefined ? findAuthorizationCode(text, start) : { start, end: start + code.length };
}

const AUTHORIZATION_CODE = /^(?:[\w.~%/-]{16,}|4(?:%2F|\/)0[\w.~%-]{8,})/;

function findAuthorizationCode(text: string, start: number): Part | undefined {
  const code = AUTHORIZATION_CODE.exec(text.slice(start, start + 512))?.[0];
  if (code === undefined || !/\d/.test(code) || !/[A-Za-z]/.test(code)) return undefined;
  return { start, end: start + code.length };
}
