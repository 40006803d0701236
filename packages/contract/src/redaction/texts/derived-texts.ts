import { decodeBase64 } from '../shapes/base64.ts';
import { looksSecret } from '../shapes/plausible.ts';
import { REDACTED_TEXT } from './text.ts';

/** Shorter texts are too common to be told from others. */
const MIN_LENGTH = 6;
const MAX_LENGTH = 4096;
/** Parts that a secret is split into are found again if they are no shorter. */
const MIN_PART = 8;
const MAX_PARTS = 24;
/** Largest number of texts per trace. */
const MAX_TEXTS = 200;
/** A password from credentials that were decoded is known to be one, so that a short one counts too. */
const MIN_PASSWORD = 4;

/** A word, such as a card's kind: hiding it everywhere would hide more than the secret. */
const WORD = /^(?:\p{Lu}?\p{Ll}+|[\p{Lu}_]+)$/u;

const SEPARATORS = /[\s.:$,;|/&=]+/;
const CREDENTIALS = /^(\w+) +(\S{4,})$/;
const USER_AND_PASSWORD = /^[^\s:]{0,128}:(\S+)$/;

/**
 * Remembers a text that was hidden, and what programs make of it: credentials without their scheme, decoded Basic credentials and the password in them, the parts
 * of a hash with its salt, of a cookie or of a token. Where these stand in the same trace they are to be hidden too.
 */
export function noteSecret(text: string, found: Set<string>): void {
  if (text.length > MAX_LENGTH) {
    note(text.slice(0, MAX_LENGTH), found);
    return;
  }
  // Some of it was hidden before: only the rest was ever captured.
  if (text.includes(REDACTED_TEXT)) {
    for (const rest of text.split(REDACTED_TEXT)) noteParts(rest, found);
    return;
  }
  const whole = text.trim();
  if (isTelling(whole)) note(whole, found);
  const [, scheme = '', credentials] = CREDENTIALS.exec(whole) ?? [];
  if (credentials !== undefined) {
    if (credentials.length >= MIN_PART) note(credentials, found);
    if (scheme.toLowerCase() === 'basic') noteBasic(credentials, found);
  }
  noteParts(credentials ?? whole, found);
}

function noteBasic(encoded: string, found: Set<string>): void {
  const decoded = decodeText(encoded);
  const password = decoded === undefined ? undefined : USER_AND_PASSWORD.exec(decoded)?.[1];
  if (decoded === undefined || password === undefined) return;
  note(decoded, found);
  if (password.length >= MIN_PASSWORD) note(password, found);
}

/** Undefined for what is no base64, or no UTF-8 in it. */
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
  return text.length >= MIN_LENGTH && !WORD.test(text);
}

function note(text: string, found: Set<string>): void {
  if (found.size < MAX_TEXTS) found.add(text);
}
