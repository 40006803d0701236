import { isAboutWord, isForeignNoun, isSecretNoun } from '../../names/names.ts';
import type { NounKind } from '../../names/nouns.ts';
import { foldAccents } from '../../names/split-words.ts';
import {
  isLongId,
  isPasswordLike,
  isPlaceholder,
  isPlainWord,
  isSlug,
  isStateWord,
  looksOrdinary,
  looksSecret,
  MAX_JUDGED,
} from '../../shapes/plausible.ts';
import {
  COMMA,
  DASH,
  EQUALS,
  findRunEnd,
  findRunStart,
  GREATER,
  isBlank,
  isDigit,
  isLetterOrDigit,
  isLineEnd,
  isQuote,
  isWideQuote,
  isWordCharacter,
  LESS,
  OPEN_PARENTHESIS,
  REDACTED_MARK,
} from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import { endOfToken, findInWideQuotes } from '../../values/assignments/assigned-values.ts';
import { readString } from '../../values/strings.ts';
import { isNameAsValue } from '../names-as-values.ts';
import { endOfGroups, isOpaque, isValue } from './sentence-values.ts';
import {
  BEFORE_NAMES,
  CHANGES,
  CHOSEN,
  CONNECTORS,
  FILLERS,
  FOREIGN_CONNECTORS,
  SQL,
  SURE,
  TARGETS,
  USER_BEFORE,
  VALUE_WORDS,
} from './sentence-words.ts';
import { isNamed } from './stated.ts';
import { startOfNextCell, startOfNextString } from './value-starts.ts';
import { findWords } from './word-values.ts';

/** Maximum distance in a sentence between a name and its secret. */
const MAX_AHEAD = 120;
const MAX_WORDS = 10;
/** Maximum number of words between a name and a colon: `password for ada: X`. */
const MAX_BEFORE_COLON = 5;

/** Matches a verb before the name: `reset the admin password to X`. */
const CHANGED =
  /(?:^|[^a-z])(?:re-?)?(?:set|chang|updat|rotat|switch|swap|andert|ändert|cambi|wijzig|zmieni|nulstil|veranderd)[a-zé]{0,8}\s/i;
const MAX_CHANGE = 60;

interface Walk {
  readonly scan: TextScan;
  readonly text: string;
  readonly kind: NounKind;
  readonly limit: number;
  /** End of the name. */
  readonly name: number;
  at: number;
  /** Number of words that were skipped since the name. */
  passed: number;
  connected: boolean;
  /** True after a word or sign that announces the value: `lautet`, `:`, or `to` after `changed`. */
  sure: boolean;
  /** True after the reason of a refusal: `password is incorrect: X`. */
  refused: boolean;
  /** True if the last word announces a person's or a thing's name. */
  named: boolean;
  /** True after a verb such as `changed`. */
  changed: boolean;
  /** True if the name is in a language other than English. */
  readonly foreign: boolean;
  /** True for the plural, beside which a number is a count: `tokens 512`. */
  readonly plural: boolean;
}

/** Finds the secret after the name that ends at `end`: `the password for ann is X`, `PIN 1234`. */
export function findInSentence(scan: TextScan, end: number, kind: NounKind): Part | undefined {
  const { text } = scan;
  const next = text.charCodeAt(end);
  const cell =
    next === LESS ? startOfNextCell(text, end) : isQuote(next) ? startOfNextString(text, end) : undefined;
  if (cell === undefined && (next === APOSTROPHE || next === WIDE_APOSTROPHE))
    return findContracted(text, end, kind);
  if (cell === undefined && !isBlank(next) && next !== OPEN_PARENTHESIS) return undefined;
  const walk: Walk = {
    scan,
    text,
    kind,
    limit: Math.min(text.length, end + MAX_AHEAD),
    name: end,
    at: cell ?? end,
    passed: 0,
    connected: cell !== undefined,
    sure: false,
    refused: false,
    named: false,
    changed: CHANGED.test(text.slice(Math.max(0, end - MAX_CHANGE), end)),
    plural: (text.charCodeAt(end - 1) | 0x20) === 0x73,
    foreign: isForeignNoun(text.slice(findRunStart(text, end, isNameLetter, MAX_NOUN), end)),
  };
  for (let count = 0; count < MAX_WORDS; count++) {
    walk.at = findRunEnd(text, walk.at, isBlank, walk.limit);
    if (walk.at >= walk.limit) return undefined;
    const step = takeStep(walk);
    if (step !== 'next') return isNameInCell(walk, step, cell) ? undefined : step;
  }
  return undefined;
}

/** True if the content of a cell begins with the name of a secret instead of the secret: `<code>password='X'</code>`. */
function isNameInCell({ text }: Walk, found: Part | undefined, cell: number | undefined): boolean {
  return cell !== undefined && found !== undefined && isNameAsValue(text.slice(found.start, found.end));
}

/** Finds X in `my password's X`, short for `my password is X`. A plain word after `'s` is not a value: `the password's length`. */
function findContracted(text: string, end: number, kind: NounKind): Part | undefined {
  if (!text.startsWith('s ', end + 1) || kind === 'weak') return undefined;
  const start = end + 3;
  const last = endOfToken(text, start, ':', false, start + MAX_JUDGED);
  const value = text.slice(start, last);
  if (isNameAsValue(value) || /^\d+-[a-z]/.test(value)) return undefined;
  return isValue(value, kind, true) ? { start, end: last } : undefined;
}

const MAX_NOUN = 24;

function isNameLetter(code: number): boolean {
  return isWordCharacter(code) && !isDigit(code);
}

type Step = Part | undefined | 'next';

function takeStep(walk: Walk): Step {
  const { text, at } = walk;
  const code = text.charCodeAt(at);
  if (isLineEnd(code) || code === REDACTED_MARK) return undefined;
  if (isQuote(code)) {
    // The quote is an apostrophe within a word: `de l'alarme`.
    if (
      code === APOSTROPHE &&
      isLetterOrDigit(text.charCodeAt(at - 1)) &&
      isLetterOrDigit(text.charCodeAt(at + 1))
    ) {
      walk.at++;
      return 'next';
    }
    return takeString(walk);
  }
  if (isWideQuote(code)) return takeWideString(walk);
  if (code === OPEN_PARENTHESIS) return takeAside(walk);
  if (text.charCodeAt(at + 1) === GREATER && (code === DASH || code === EQUALS))
    return passConnector(walk, at + 2);
  // A sign directly after the name makes an assignment, which other functions handle.
  if ((code === EQUALS || code === 0x3a) && walk.passed === 0 && !walk.connected) return undefined;
  const end = endOfToken(text, at, ':', false);
  const token = text.slice(at, Math.min(end, at + MAX_JUDGED + 1));
  // The token is the next cell of a table, not a value.
  if (/^\p{L}+[;|]/u.test(token)) return undefined;
  if (token === '') {
    walk.at++;
    if (code === 0x3a) walk.connected = true;
    return code === COMMA || (code === 0x3a && walk.passed < MAX_BEFORE_COLON) ? 'next' : undefined;
  }
  const word = foldAccents(token.toLowerCase());
  if (CONNECTORS.has(word) || (walk.passed > 0 && token.endsWith(':'))) {
    walk.sure ||= SURE.test(token);
    return passConnector(walk, end);
  }
  if (walk.foreign && walk.passed === 0 && !walk.connected && FOREIGN_CONNECTORS.has(word))
    return passConnector(walk, end);
  return walk.connected ? takeValue(walk, token, word, end) : passWord(walk, token, word, end);
}

function passConnector(walk: Walk, end: number): Step {
  walk.connected = true;
  walk.at = end;
  return 'next';
}

/** Takes a quoted string as the value. If words come between the name and the string, one of them must be a connector. */
function takeString(walk: Walk): Step {
  const { text, at } = walk;
  const near = text.slice(at, at + MAX_JUDGED * 2);
  const string = readString(near, 0, 0);
  if (string.after === string.end) return undefined;
  if (!walk.connected && walk.passed > 0) return passString(walk, string.after);
  const value = near.slice(string.start, string.end);
  if (value.length < 3 && !walk.connected) return passString(walk, string.after);
  if (value.length < 3 || isPlaceholder(value) || isStateWord(value)) return undefined;
  if (walk.passed > 3 && !looksSecret(value)) return undefined;
  if (walk.plural && isCounted(walk.kind) && COUNT.test(value)) return undefined;
  // The quoted text is the name of a thing: `secret "shop-db" not found`.
  if (
    !walk.connected &&
    (walk.kind === 'weak'
      ? !isOpaque(value)
      : (looksOrdinary(value) || isSlug(value)) &&
        !isLongId(value) &&
        !CHOSEN.test(readName(walk)) &&
        isNamed(text, at + string.after))
  )
    return undefined;
  // The quoted text is the name of a thing, or a part of a program: `secret "shop/cert"`, `token 'export'`.
  if (
    !walk.connected &&
    OF_THINGS.test(text.slice(walk.name - 7, walk.name)) &&
    (looksOrdinary(value) || isSlug(value)) &&
    !isLongId(value)
  )
    return undefined;
  // A quoted sentence is not a secret, unless a connector precedes the sentence.
  if (!walk.connected && /\s/.test(value) && !looksSecret(value.replace(/\s+/g, ''))) return undefined;
  return { start: at + string.start, end: at + string.end };
}

function passString(walk: Walk, length: number): Step {
  walk.at += length;
  walk.passed++;
  return 'next';
}

function readName({ text, name }: Walk): string {
  return text.slice(Math.max(0, name - MAX_NOUN), name);
}

const APOSTROPHE = 0x27;
const WIDE_APOSTROPHE = 0x2019;
const BEFORE_TARGET = /\s(?:to|auf|zu|in|a|en|para|por|naar|na)\s{1,2}$/;

function takeWideString(walk: Walk): Step {
  const part = findInWideQuotes(walk.text, walk.at);
  if (part === undefined) return undefined;
  const value = walk.text.slice(part.start, part.end);
  // A word such as `to` before the value is enough without a connector, because in German the verb follows the value:
  // `Ihr Kennwort wurde auf „X“ gesetzt` (your password was set to X).
  if (
    walk.connected ||
    walk.passed === 0 ||
    BEFORE_TARGET.test(walk.text.slice(Math.max(0, walk.at - 8), walk.at))
  )
    return isStateWord(value) || isPlaceholder(value) ? undefined : part;
  walk.at = part.end + 1;
  walk.passed++;
  return 'next';
}

/** Skips a parenthesis such as `(the new one)`, or returns the value in it: `the PIN (1234)`. */
function takeAside(walk: Walk): Step {
  const { text, at } = walk;
  const close = text.slice(at, at + 64).indexOf(')');
  if (close < 0) return undefined;
  const inner = text.slice(at + 1, at + close);
  // Parentheses without a space before them belong to a function call or a list of columns.
  if (at === walk.name) return undefined;
  if (walk.passed === 0 && !/\s/.test(inner) && isValue(inner, walk.kind, false))
    return { start: at + 1, end: at + close };
  // The parenthesis contains a user and the password: `Wrong password (ada, X)`.
  const second = WITH_USER.exec(inner)?.[1];
  if (walk.passed === 0 && walk.kind === 'secret' && second !== undefined && isPasswordLike(second))
    return { start: at + close - second.length, end: at + close };
  walk.at = at + close + 1;
  return 'next';
}

const WITH_USER = /^[\w.@+-]{1,48}(?:,\s?|\s?\/\s?)([^\s,]{4,64})$/;
const COUNT = /^\d{1,7}$/;
const OF_THINGS = /(?:secret|token)s?$/i;
const SESSION = /session$/i;
const OF_CLUSTER = /\bsecrets?$/;
/** True for kinds of names that can be counted: `tokens 512`. False for codes and other numeric names, where the number is the secret. */
function isCounted(kind: NounKind): boolean {
  return kind === 'secret' || kind === 'weak';
}

function passWord(walk: Walk, token: string, word: string, end: number): Step {
  const { text } = walk;
  if (walk.plural && isCounted(walk.kind) && COUNT.test(token)) return undefined;
  if (walk.passed === 0) {
    if (isAboutWord(word) && !/^(?:on|in|at|for|used|issued|reset|set|changed|updated|rotated)$/.test(word))
      return undefined;
    // The token is the name of a secret in a cluster: `kubectl get secret shop-tls`.
    if (isSlug(token) && OF_CLUSTER.test(text.slice(walk.name - 7, walk.name))) return undefined;
    // A value directly after the name: `password hunter2`.
    if (
      walk.kind === 'weak'
        ? isOpaque(token) ||
          (SESSION.test(text.slice(walk.name - 7, walk.name)) && /^[0-9a-f]{32,}$/.test(token))
        : isValue(token, walk.kind, walk.kind === 'secret' || walk.kind === 'numeric')
    )
      return { start: walk.at, end };
    if (isWordAfterUser(walk, token, end)) return { start: walk.at, end };
  }
  // Skips a state before a quoted value: `Mot de passe invalide "X"`. Then finds X in `Passwort wurde auf X gesetzt`.
  if (walk.foreign && walk.passed === 0 && isStateWord(token) && /["'«„]/.test(text.charAt(end + 1))) {
    walk.at = end;
    return 'next';
  }
  const set = walk.foreign && word === 'auf' ? IS_SET.exec(text.slice(end, end + 90))?.[1] : undefined;
  if (set !== undefined) return { start: end + 1, end: end + 1 + set.length };
  if (walk.kind === 'secret' && walk.passed < 4 && VALUE_WORDS.has(word)) return passConnector(walk, end);
  if (
    SQL.has(token) ||
    (isSecretNoun(token) && !(walk.kind === 'numeric' && /^cards?$/.test(word))) ||
    (/[.!?]$/.test(text.charAt(end)) && !isWordCharacter(text.charCodeAt(end + 1)))
  )
    return undefined;
  if (walk.changed && TARGETS.has(word)) {
    walk.sure = true;
    return passConnector(walk, end);
  }
  if (walk.passed > 0 && walk.passed <= 3 && walk.kind !== 'weak' && !walk.named && isPasswordLike(token))
    return { start: walk.at, end };
  walk.named = BEFORE_NAMES.has(word);
  if (CHANGES.has(word)) walk.changed = true;
  walk.passed++;
  walk.at = end;
  return 'next';
}

const IS_SET = /^\s([^\s"'‹„]{3,64})\s(?:zur(?:ü|ue)ck)?(?:gesetzt|ge(?:ä|ae)ndert)/;

/** True for a plain word that ends the text after a user and a password's name: `user ada, password X`. */
function isWordAfterUser(walk: Walk, token: string, end: number): boolean {
  const { text, name } = walk;
  if (token.length < 4 || !isPlainWord(token) || isStateWord(token) || isSecretNoun(token)) return false;
  if (!/^[.!]?\s*(?:$|[\r\n"'`\\])/.test(text.slice(end, end + 8)) || !CHOSEN.test(readName(walk)))
    return false;
  const start = findRunStart(text, name, isNameLetter, MAX_NOUN);
  return USER_BEFORE.test(text.slice(Math.max(0, start - 64), start));
}

function takeValue(walk: Walk, token: string, word: string, end: number): Step {
  const { text, at, kind } = walk;
  if (FILLERS.has(word) || (walk.changed && TARGETS.has(word))) {
    walk.at = end;
    return 'next';
  }
  if (CHANGES.has(word)) {
    walk.changed = true;
    walk.at = end;
    return 'next';
  }
  if (isStateWord(token) && text.charAt(end) === ':') {
    walk.refused = true;
    walk.at = end + 1;
    return 'next';
  }
  if (isValue(token, kind, walk.passed === 0) || (walk.passed <= 2 && kind !== 'weak' && isLongId(token))) {
    if (walk.changed) noteNext(walk, end);
    return { start: at, end: endOfGroups(text, at, end) };
  }
  const name = readName(walk);
  if (walk.refused && !CHOSEN.test(name)) return undefined;
  // After `secret`, only the next word can be a plain value. `The secret to success is work.` contains no secret.
  const most = /secrets?$/i.test(name) ? 0 : walk.sure && CHOSEN.test(name) ? 6 : 2;
  if (kind === 'weak' || walk.passed > most || !isPlainWord(token) || token.length < 4) return undefined;
  return findWords(text, at, end, name);
}

const NEXT_TARGET = /^\s{1,4}(?:to|into|auf|zu|a|en|para|por|naar|na|vers)\s{1,4}["'`]?/;

/** Adds the second value of `from X to Y` to the pending parts. */
function noteNext({ scan, text, kind }: Walk, end: number): void {
  const between = NEXT_TARGET.exec(text.slice(end, end + 24))?.[0];
  if (between === undefined || (scan.pending?.length ?? 0) > 0) return;
  const start = end + between.length;
  const next = endOfToken(text, start, ':', false, start + MAX_JUDGED);
  if (isValue(text.slice(start, next), kind, true)) scan.pending = [{ start, end: next }];
}
