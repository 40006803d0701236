import { mayBeNamedBy } from '../shapes/plausible.ts';
import { findPhrase } from '../shapes/recovery-phrases.ts';
import { findShape } from '../shapes/shapes.ts';
import { findAuthorization } from '../syntax/authorization.ts';
import { findAuthCommand } from '../syntax/commands.ts';
import { findInDirective, findLoginLine, findPassDirective, findRequired } from '../syntax/directives.ts';
import { findInTable } from '../syntax/documents/delimited.ts';
import { findLinkToken, findSetInPath } from '../syntax/links.ts';
import { findChangedPassword, findLoginCall, findMechanism } from '../syntax/login-calls.ts';
import { findLogin, findPassCommand, findPassFor } from '../syntax/logins.ts';
import { findBeforeName, startOfPhrase } from '../syntax/prose/before-names.ts';
import { findJudged } from '../syntax/prose/judged.ts';
import { findOneTimeCode, findUsedCode } from '../syntax/prose/one-time-codes.ts';
import { USER_BEFORE } from '../syntax/prose/sentence-words.ts';
import { findInSentence } from '../syntax/prose/sentences.ts';
import { findStated } from '../syntax/prose/stated.ts';
import { findUnspaced } from '../syntax/prose/unspaced.ts';
import { findStored } from '../syntax/queries/redis.ts';
import { findIdentified, findInserted, findSetPassword } from '../syntax/queries/sql.ts';
import { findStoredSecret } from '../syntax/secret-commands.ts';
import { findSentAuth, findSubcommand } from '../syntax/subcommands.ts';
import { isCapital, isLetter, isSmall, isUnspaced, isWideLetter } from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { UNSPACED_ABOUT } from './name-languages.ts';
import {
  beginnings,
  hashWith,
  indexOfBeginning,
  NOUN_BEGINS,
  NOUNS,
  nounHashes,
  placeOfHash,
  SHAPE_BEGINS,
  unspacedWords,
  wideBeginnings,
} from './nouns.ts';
import { foldAccents } from './split-words.ts';

const MAX_WORD = 24;

/** Returns bits that show whether a noun or a key of a known shape can begin with the first characters at `at`. */
function findBeginningBits(text: string, at: number, code: number): number {
  return beginnings[indexOfBeginning(code, text.charCodeAt(at + 1), text.charCodeAt(at + 2))] ?? 0;
}

/** Checks quickly if {@link findByWord} could find a secret at a word. Returns false for most words. */
export function mayBeginByWord(text: string, at: number, code: number): boolean {
  return findBeginningBits(text, at, code) !== 0;
}

/** Finds a secret by the word at `at`: the word begins a key of a known shape, or names a secret. */
export function findByWord(scan: TextScan, at: number, code: number): Part | undefined {
  const bits = findBeginningBits(scan.text, at, code);
  if ((bits & SHAPE_BEGINS) !== 0) {
    const part = findShape(scan, at);
    if (part !== undefined) return part;
  }
  return (bits & NOUN_BEGINS) === 0 ? undefined : findByNoun(scan, at);
}

function findByNoun(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  let end = at;
  let hash = 0;
  let isWide = false;
  for (; end < text.length && end - at < MAX_WORD; end++) {
    const code = text.charCodeAt(end);
    if (code >= 128) {
      if (!isWideLetter(code) || isUnspaced(code)) break;
      isWide = true;
    } else if (!isLetter(code)) break;
    // A capital after a small letter begins a new word.
    if (end > at && isCapital(code) && isSmall(text.charCodeAt(end - 1))) break;
    hash = hashWith(hash, code);
  }
  if (!isWide && nounHashes[placeOfHash(hash)] === 0) return undefined;
  const lower = text.slice(at, end).toLowerCase();
  const kind = NOUNS.get(foldAccents(lower));
  if (kind === undefined) return undefined;
  if (kind === 'link')
    return findLinkToken(text, at, end) ?? findSetInPath(text, at, end) ?? findUsedCode(text, at);
  if (kind === 'directive') return findInDirective(scan, at, end);
  if (kind === 'call') return findLoginCall(scan, at, end);
  if (kind === 'program') return findSubcommand(text, end, lower);
  // Only `TAN` in capitals is a transaction number. The tangent and the color are written in small letters.
  if (lower === 'tan' && !text.startsWith('TAN', at)) return undefined;
  if (lower === 'password') {
    const password =
      findSetPassword(text, at, end) ??
      findChangedPassword(scan, at, end) ??
      findStated(text, end) ??
      findSetInPath(text, at, end) ??
      findLoginLine(text, at, end);
    if (password !== undefined) return password;
  }
  if (lower === 'secret' || lower === 'secrets') {
    const stored = findStoredSecret(scan, at, end);
    if (stored !== undefined) return stored;
  }
  if (lower === 'auth') {
    const password =
      findAuthCommand(text, at, end) ?? findMechanism(text, end) ?? findSentAuth(text, at, end);
    if (password !== undefined) return password;
  }
  if (PHRASES.test(lower)) {
    const phrase = findPhrase(text, end);
    if (phrase !== undefined) return phrase;
  }
  const link =
    kind === 'secret' && text.charCodeAt(at - 1) === SLASH ? findLinkToken(text, at, end) : undefined;
  if (link !== undefined) return link;
  scan.hasNoun = true;
  if (DIRECTIVE_NAMES.test(lower)) {
    const given = findRequired(text, at, end);
    if (given !== undefined) return given;
  }
  const login = findPassCommand(text, at, end) ?? findLogin(text, at, end, lower);
  if (login !== undefined) return login;
  if (kind !== 'insert' && kind !== 'identified' && kind !== 'scheme') {
    const cell = findInTable(scan, at);
    if (cell !== undefined) return cell;
  }
  switch (kind) {
    case 'insert':
      return findInserted(scan, at);
    case 'identified':
      return findIdentified(scan, end);
    case 'scheme':
      return findAuthorization(text, at, end);
    case 'pass':
      return USER_BEFORE.test(text.slice(Math.max(0, at - MAX_USER), at))
        ? findInSentence(scan, end, 'secret')
        : (findPassDirective(text, at, end) ?? findPassFor(text, at, end));
    default: {
      const start = kind === 'end-of-phrase' ? startOfPhrase(text, at, end) : at;
      if (start === undefined) return CODES.test(lower) ? findOneTimeCode(text, at, end) : undefined;
      const part =
        findStored(scan, at, end) ??
        findBeforeName(scan, start, kind) ??
        findInSentence(scan, end, kind) ??
        findJudged(text, at, end);
      return part !== undefined && kind === 'end-of-phrase' && isOtherAccount(scan, start, end, part)
        ? undefined
        : part;
    }
  }
}

/** True if `part` is the short number of a customer's account, which is no secret: `account number 10023`. */
function isOtherAccount({ text, names }: TextScan, start: number, end: number, part: Part): boolean {
  return (
    names.judge(text.slice(start, end)) === 'account' &&
    !mayBeNamedBy('account', text.slice(part.start, part.end))
  );
}

const PHRASES = /^(?:phrase|frase|words|seed|mnemonic)$/;
const CODES = /^(?:code|c[oó]digo|codice)$/;
const SLASH = 0x2f;
/** Names of secrets that begin a line of a configuration. Their value can be a plain word. */
const DIRECTIVE_NAMES = /^(?:requirepass|masterauth)$/;
const MAX_USER = 64;

/** Like {@link findByWord}, for a word that begins with a non-ASCII letter. */
export function findByWideWord(scan: TextScan, at: number, code: number, begins: boolean): Part | undefined {
  if (!isUnspaced(code)) return begins && isWideLetter(code) ? findByForeignNoun(scan, at, code) : undefined;
  const words = unspacedWords.get(code);
  if (words === undefined) return undefined;
  const { text } = scan;
  const word = words.find((one) => text.startsWith(one, at));
  if (word === undefined) return undefined;
  const end = at + word.length;
  return UNSPACED_ABOUT.some((about) => text.startsWith(about, end) || text.startsWith(about, end + 1))
    ? undefined
    : findUnspaced(scan, end);
}

function findByForeignNoun(scan: TextScan, at: number, code: number): Part | undefined {
  const first = String.fromCharCode(code).toLowerCase();
  if (!wideBeginnings.has(first.charCodeAt(0)) && code > 0x24f) return undefined;
  return findByNoun(scan, at);
}
