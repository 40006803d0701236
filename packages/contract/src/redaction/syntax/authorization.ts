import { looksSecret } from '../shapes/plausible.ts';
import { COMMA, findRunEnd, isBase64Url, isBlank } from '../texts/characters.ts';
import type { Part } from '../texts/scan.ts';
import { findUserPassword } from './login-calls.ts';

function isCredential(code: number): boolean {
  return (
    isBase64Url(code) || code === 0x2e || code === 0x7e || code === 0x2b || code === 0x2f || code === 0x3d
  );
}

const MIN_CREDENTIALS = 8;
const MIN_LISTED = 16;
/**
 * Matches a bot's token, which has three parts. After `Bot`, other text does not count as credentials, because names of programs also begin
 * with `Bot`.
 */
const BOT_TOKEN = /^[\w-]{20,30}\.[\w-]{6,7}\.[\w-]{20,}$/;
const OF_CLUSTER = '.authorization.k8s.io.';
const SMALL_O = 0x6f;
const SMALL_A = 0x61;

/**
 * Finds the credentials after a scheme such as `Bearer` or `Basic`. The scheme is from `start` to `end`. A string that looks like a word
 * does not count as credentials.
 */
export function findAuthorization(text: string, start: number, end: number): Part | undefined {
  if (isBase64Url(text.charCodeAt(start - 1))) return undefined;
  // Browsers cannot set headers of a WebSocket, so pages send the credentials as a second protocol: `bearer, X`.
  const isListed = text.charCodeAt(end) === COMMA;
  // Kubernetes joins the token to the protocol's name.
  const after = text.startsWith(OF_CLUSTER, end) ? end + OF_CLUSTER.length : isListed ? end + 1 : end;
  if ((text.charCodeAt(start + 1) | 0x20) === SMALL_A) {
    const password = findUserPassword(text.slice(end, end + 200), end);
    if (password !== undefined) return password;
  }
  const from = findRunEnd(text, after, isBlank, after + 4);
  if (from === end) return undefined;
  const to = findRunEnd(text, from, isCredential);
  const credentials = text.slice(from, to);
  if (text.charCodeAt(start + 1) === SMALL_O && !BOT_TOKEN.test(credentials)) return undefined;
  if (isListed && (credentials.length < MIN_LISTED || !looksSecret(credentials))) return undefined;
  return credentials.length >= MIN_CREDENTIALS && /[\d=+/_]|.[A-Z]|\.\w/.test(credentials)
    ? { start: from, end: to }
    : undefined;
}
