import { decodeBase64 } from '../shapes/base64.ts';
import { looksSecret } from '../shapes/plausible.ts';
import { REDACTED_TEXT } from './characters.ts';

/** Minimum length of a text that is hidden everywhere. Shorter texts are too common. */
const MIN_LENGTH = 6;
const MAX_LENGTH = 4096;
/** Minimum length of a part of a secret that is hidden separately. */
const MIN_PART = 8;
const MAX_PARTS = 24;
/** Maximum number of texts per trace that are hidden in the whole trace. */
const MAX_TEXTS = 200;
/** Minimum length of a password from decoded credentials. Such a text is known to be a password, so a short one is hidden, too. */
const MIN_PASSWORD = 4;

/** Matches a single word, such as a card's type. Hiding such a word everywhere would hide more than the secret. */
const WORD = /^(?:\p{Lu}?\p{Ll}+|[\p{Lu}_]+)$/u;

/**
 * Matches the name of a kind of credential, such as `admin-api-token` or `refresh_token`. Such a name is not hidden everywhere, because
 * programs compare these names, and use them as file names.
 */
const CREDENTIAL_KIND =
  /^(?:(?:access|account|admin|api|auth|backend|bearer|client|csrf|encryption|frontend|id|jwt|oauth|personal|private|public|refresh|server|service|session|shared|signing|user|web|xsrf)[-_])+(?:cookie|credential|key|password|secret|token)s?$/;

const SEPARATORS = /[\s.:$,;|/&=]+/;
const CREDENTIALS = /^(\w+) +(\S{4,})$/;
const USER_AND_PASSWORD = /^[^\s:]{0,128}:(\S+)$/;

/**
 * Adds a hidden text, and the forms that programs derive from it, to `found`, so that all of them are hidden in the rest of the trace:
 * credentials without their scheme, decoded Basic credentials and their password, and the parts of a salted hash, a cookie or a token.
 */
export function noteSecret(text: string, found: Set<string>): void {
  if (text.length > MAX_LENGTH) {
    note(text.slice(0, MAX_LENGTH), found);
    return;
  }
  // Part of the text had already been hidden, so only the rest of it was captured.
  if (text.includes(REDACTED_TEXT)) {
    for (const rest of text.split(REDACTED_TEXT)) noteParts(rest, found);
    return;
  }
  const whole = text.trim();
  if (isTelling(whole)) note(whole, found);
  // Programs pass on a URL's parameter in decoded form.
  const decoded = whole.includes('%') ? decodeParameter(whole) : whole;
  if (decoded !== whole && isTelling(decoded)) note(decoded, found);
  const [, scheme = '', credentials] = CREDENTIALS.exec(whole) ?? [];
  if (credentials !== undefined) {
    if (credentials.length >= MIN_PART) note(credentials, found);
    if (scheme.toLowerCase() === 'basic') noteBasic(credentials, found);
  }
  noteParts(credentials ?? whole, found);
}

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function noteBasic(encoded: string, found: Set<string>): void {
  const decoded = decodeText(encoded);
  const password = decoded === undefined ? undefined : USER_AND_PASSWORD.exec(decoded)?.[1];
  if (decoded === undefined || password === undefined) return;
  note(decoded, found);
  if (password.length >= MIN_PASSWORD) note(password, found);
}

/** Decodes base64; undefined if the text is not base64 or does not contain UTF-8. */
function decodeText(encoded: string): string | undefined {
  const bytes = decodeBase64(encoded);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function noteParts(text: string, found: Set<string>): void {
  const password = USER_AND_PASSWORD.exec(text)?.[1];
  if (password !== undefined && password.length >= MIN_LENGTH && looksSecret(password)) note(password, found);
  const parts = text.split(SEPARATORS, MAX_PARTS);
  if (parts.length < 2) return;
  for (const part of parts) if (part.length >= MIN_PART && looksSecret(part)) note(part, found);
}

function isTelling(text: string): boolean {
  return text.length >= MIN_LENGTH && !WORD.test(text) && !CREDENTIAL_KIND.test(text);
}

function note(text: string, found: Set<string>): void {
  if (found.size < MAX_TEXTS) found.add(text);
}
