import { prepareNouns } from '../names/nouns.ts';
import { findByWideWord, findByWord, mayBeginByWord } from '../names/words.ts';
import { endOfCardNumber, endOfDigits } from '../shapes/cards.ts';
import { findIban } from '../shapes/ibans.ts';
import { findPassword } from '../shapes/passwords.ts';
import { isRecoveryPhrase } from '../shapes/recovery-phrases.ts';
import {
  findBotToken,
  findClientSecret,
  findPasswordHash,
  findPgpassPassword,
  findPrivateKey,
  findRegionKey,
} from '../shapes/shapes.ts';
import { findArguments } from '../syntax/calls.ts';
import { findFlagValue } from '../syntax/commands.ts';
import { findGoPassword, findOraclePassword } from '../syntax/connections.ts';
import { findInFormat } from '../syntax/documents/file-formats.ts';
import { findElement } from '../syntax/documents/markup.ts';
import {
  findBareParameters,
  findLoggedParameters,
  findTypedParameters,
} from '../syntax/queries/logged-parameters.ts';
import { findHereString } from '../syntax/secret-commands.ts';
import { findUrlCredentials } from '../syntax/urls.ts';
import { findAssigned } from '../values/assignments/assignments.ts';
import { findPaired } from '../values/lists.ts';
import {
  COLON,
  DASH,
  EQUALS,
  isCapital,
  isDigit,
  isLetterOrDigit,
  isSmall,
  isWideLetter,
  LESS,
  OPEN_LIST,
  OPEN_OBJECT,
  OPEN_PARENTHESIS,
  PERCENT,
  REDACTED_TEXT,
  SEMICOLON,
} from './characters.ts';
import { findEncoded } from './encoded.ts';
import { type Names, type Part, TextScan } from './scan.ts';

/** Minimum length of a secret together with the characters that identify it. */
const MIN_LENGTH = 6;

/**
 * Kinds of characters at which a match can begin. A small letter, which is the most frequent kind, begins a match only after a character of
 * another kind.
 */
const SMALL = 0;
const OTHER = 1;
const CAPITAL = 2;
const NUMBER = 3;
const WIDE = 4;
const ASSIGNS = 5;
const TAG = 6;
const FLAG = 7;
const ENCODED = 8;
const LIST = 9;
const TILDE = 10;
const DOLLAR = 11;
const PASSWORD = 12;
const STATEMENT_END = 13;
const LETTER_U = 0x75;
const LETTER_S = 0x73;
const signs = new Uint8Array(128).fill(OTHER);
for (let code = 0; code < 128; code++) {
  if (isSmall(code)) signs[code] = SMALL;
  else if (isCapital(code)) signs[code] = CAPITAL;
  else if (isDigit(code)) signs[code] = NUMBER;
}
signs[COLON] = signs[EQUALS] = ASSIGNS;
signs[LESS] = TAG;
signs[DASH] = FLAG;
signs[PERCENT] = ENCODED;
signs[OPEN_LIST] = signs[OPEN_PARENTHESIS] = LIST;
signs[0x7e] = TILDE;
signs[0x24] = DOLLAR;
signs[0x21] = signs[0x2a] = signs[0x5e] = PASSWORD;
signs[SEMICOLON] = STATEMENT_END;

/**
 * Returns `text` with each secret replaced by `‹redacted›`, or the same string if there are no secrets. Takes linear time: one pass if
 * nothing is removed, otherwise at most five. Each search reads a bounded distance ahead and back, except within a part that is removed.
 * - `cut`: the text's end was cut off. The beginning of a card number at the end is then removed, too.
 * - `note`: called with each removed part.
 * - `inside`: redacts the JSON in a text. Called if the text contains a word that names secrets, can be a table ({@link mayHoldRows}), or
 *   contained a secret.
 */
export function redactText(
  text: string,
  names: Names,
  cut = false,
  note?: (secret: string) => void,
  inside?: (text: string) => string,
): string {
  if (text.length < MIN_LENGTH) return text;
  if (isRecoveryPhrase(text)) {
    note?.(text);
    return REDACTED_TEXT;
  }
  prepareNouns();
  nounSeen = false;
  const once = hideOnce(text, names, cut, note, 0);
  let shown = once;
  if (inside !== undefined && (nounSeen || mayHoldRows(text))) {
    // A text with removed parts can be invalid JSON. If parts were removed, the JSON in the original text is therefore redacted first.
    const whole = once === text ? text : inside(text);
    shown = inside(whole === text ? once : hideOnce(whole, names, cut, note, 0));
  }
  if (shown === text) return text;
  // A removed part can change how the text next to it is read. Repeats the pass, so that redacting a redacted text again changes nothing.
  for (let pass = 1; pass < MAX_PASSES; pass++) {
    const hidden = hideOnce(shown, names, cut, note, 0);
    const again = inside === undefined ? hidden : inside(hidden);
    if (again === shown) break;
    shown = again;
  }
  return shown;
}

/**
 * True for JSON with a list of lists, which can be a table. Such JSON is examined even if no word names a secret, because the search for
 * words misses a column name that is written as one word, such as `mypassword`.
 */
function mayHoldRows(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first === OPEN_OBJECT || first === OPEN_LIST) && text.includes('[[');
}

const MAX_PASSES = 4;
/** True if a text that was searched since {@link redactText} was called has a word that names secrets. */
let nounSeen = false;
/** Maximum depth of decoding. Base64 within base64 is decoded, but nothing deeper. */
const MAX_DEPTH = 2;

function isSecretIn(text: string, names: Names, depth: number): boolean {
  if (depth > MAX_DEPTH || text.length < MIN_LENGTH) return false;
  return hideOnce(text, names, true, undefined, depth) !== text;
}

function hideOnce(
  text: string,
  names: Names,
  cut: boolean,
  note: ((secret: string) => void) | undefined,
  depth: number,
): string {
  const { length } = text;
  // Created at the first character that can begin a secret. Most texts have no such character.
  let scan: TextScan | undefined;
  let out = '';
  let kept = 0;
  let index = 0;
  /** True if a word can begin here. */
  let begins = true;
  /** Start of the next pending part, which an earlier search found. */
  let waitsAt = length;
  while (index < length) {
    const code = text.charCodeAt(index);
    const sign = code < 128 ? signs[code] : WIDE;
    let part: Part | undefined;
    let next = index + 1;
    if (index >= waitsAt) part = scan?.pending?.shift();
    else if (sign === SMALL) {
      if (begins && mayBeginByWord(text, index, code)) {
        scan ??= new TextScan(text, names, depth, isSecretIn);
        part = findByWord(scan, index, code);
      }
      begins = false;
    } else if (sign === OTHER) begins = true;
    else if (sign === CAPITAL) {
      if ((begins || isSmall(text.charCodeAt(index - 1))) && mayBeginByWord(text, index, code)) {
        scan ??= new TextScan(text, names, depth, isSecretIn);
        part = findByWord(scan, index, code);
      }
      begins = false;
    } else if (sign === NUMBER) {
      next = endOfDigits(text, index);
      part = findNumber(text, index, next, cut);
      if (part === undefined && begins && mayBeginByWord(text, index, code)) {
        scan ??= new TextScan(text, names, depth, isSecretIn);
        part = findByWord(scan, index, code);
      }
      begins = false;
    } else {
      scan ??= new TextScan(text, names, depth, isSecretIn);
      part =
        sign === WIDE ? findByWideWord(scan, index, code, begins) : findAtSign(scan, index, sign ?? OTHER);
      begins = sign !== WIDE || !isWideLetter(code);
    }
    if (part !== undefined) {
      waitsAt = scan?.pending?.[0]?.start ?? length;
      if (part.start >= kept && part.end > part.start) {
        const secret = text.slice(part.start, part.end);
        if (secret !== REDACTED_TEXT) {
          note?.(secret);
          out += text.slice(kept, part.start) + REDACTED_TEXT;
          kept = part.end;
        }
        next = Math.max(next, part.end);
        begins = true;
      }
    }
    index = next;
  }
  nounSeen ||= scan?.hasNoun === true;
  return kept === 0 ? text : out + text.slice(kept);
}

/** Minimum number of digits in a group of a card number, except the last group. */
const MIN_DIGITS = 4;

function findNumber(text: string, start: number, end: number, cut: boolean): Part | undefined {
  const iban = findIban(text, start);
  if (iban !== undefined || end - start < MIN_DIGITS) return iban;
  const last = endOfCardNumber(text, start, end, cut);
  if (last > 0) return { start, end: last };
  return (
    findBotToken(text, start, end) ??
    findPgpassPassword(text, start, end) ??
    findOraclePassword(text, start, end)
  );
}

/**
 * Finds a secret at a dash: a key with a region, a private key, parameters after `--`, or a flag's value. A dash after a letter or digit,
 * as in dates and ids, begins no flag.
 */
function findAtDash(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  const before = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at + 1);
  if (next === LETTER_U && text.charCodeAt(at + 2) === LETTER_S) {
    const part = findRegionKey(text, at);
    if (part !== undefined) return part;
  }
  if (next === DASH) {
    const part = findPrivateKey(text, at) ?? findBareParameters(scan, at + 2);
    if (part !== undefined) return part;
  }
  return isLetterOrDigit(before) ? undefined : findFlagValue(scan, at);
}

function findAtSign(scan: TextScan, at: number, sign: number): Part | undefined {
  const { text } = scan;
  switch (sign) {
    case ASSIGNS:
      return text.startsWith('://', at)
        ? findUrlCredentials(scan, at + 3)
        : (findInFormat(scan, at) ?? findAssigned(scan, at) ?? findTypedParameters(scan, at));
    case TAG:
      return findElement(scan, at) ?? findHereString(scan, at);
    case FLAG:
      return findAtDash(scan, at);
    case ENCODED:
      return findEncoded(scan, at);
    case PASSWORD:
      return findPassword(text, at);
    case STATEMENT_END:
      return findBareParameters(scan, at + 1);
    case DOLLAR:
      return findPasswordHash(text, at);
    case LIST:
      return (
        findPaired(scan, at) ??
        findGoPassword(text, at) ??
        findArguments(scan, at) ??
        findLoggedParameters(scan, at)
      );
    default:
      return findClientSecret(text, at);
  }
}
