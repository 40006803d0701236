import { REDACTED_TEXT } from '../texts/characters.ts';
import { decodeName } from './decode-name.ts';
import {
  ACCOUNT_PHRASES,
  FOREIGN_PHRASES,
  FOREIGN_WORDS,
  PERSONAL_NUMBERS,
  PERSONAL_PHRASES,
  UNSPACED_ABOUT,
  UNSPACED_WORDS,
} from './name-languages.ts';
import {
  ABOUT_BEGINNINGS,
  ABOUT_ENDS,
  ABOUT_TIME,
  ALWAYS_SECRET,
  CHECKED,
  CODE_OWNERS,
  CONTAINER_ENDS,
  CONTAINERS,
  CONTENT_NAMES,
  COUNTED_BEGINNINGS,
  DECODED_BEGINNINGS,
  DOUBTFUL_NAMES,
  HARMLESS_HOLDERS,
  HOLDER,
  ID_ENDS,
  KEY_OWNERS,
  LABEL_NAMES,
  LINK_TOKENS,
  MACHINE_MADE,
  MONEY_WORDS,
  NAMING_NAMES,
  NO_SECRETS,
  OF_A_SECRET,
  OPENING_IDS,
  OTHER_KINDS,
  OTHER_PASSES,
  PASSWORD_ENDS,
  PASSWORD_STEMS,
  RESULT_ENDS,
  RESULTS,
  SAME_ENDS,
  SECRET_ALONE,
  SECRET_PHRASES,
  SECRET_WORDS,
  SHORT_ENDS,
  TIME_ENDS,
  VALUE_NAMES,
} from './name-table.ts';
import { foldAccents, splitWords } from './split-words.ts';
import { isCounted, isHolder, type NameVerdict, withoutIds } from './verdicts.ts';

/**
 * Where a secret can be, according to the name of a member. `naming`: the member's text is the name of the value in a sibling. `value`: the
 * member contains the value whose name is in a sibling. `code`: the name is `code`; the member's value is a secret only if it is an OAuth
 * code or one-time code in a query string.
 */
export type NameRole = 'naming' | 'value' | 'code' | undefined;

/** Verdict on the value of a member with this name, and the role of the member (see {@link NameRole}). */
export interface JudgedName {
  readonly verdict: NameVerdict;
  readonly role: NameRole;
}

const MAX_PHRASE_WORDS = 4;
/** Maximum length of the examined name. Of a longer name, only this many characters at the end are examined. */
const MAX_JUDGED_LENGTH = 200;
/**
 * Redaction can lengthen a name and so move the secret's word out of the last `MAX_JUDGED_LENGTH` characters. A second redaction would not
 * find the word. If a secret's name is longer than this, its value is therefore hidden completely.
 */
const MAX_STABLE = 120;
/** Maximum number of cached names. A program has hundreds of names, and most requests use the same names. */
const MAX_CACHED = 5000;
const MAX_CACHED_LENGTH = 200;
const MIN_WRITTEN_IN_ONE = 5;
const MIN_STEM = 8;
/** Maximum length of a word after a secret's word that only tells secrets apart: `tokenA`, `password_de`. */
const MAX_SHORT = 2;

const ofKeys = KEY_OWNERS.map((owner) => `${owner} key`);
const ofCodes = CODE_OWNERS.map((owner) => `${owner} code`);
const PHRASES = new Set([
  ...SECRET_PHRASES,
  ...PERSONAL_PHRASES,
  ...ACCOUNT_PHRASES,
  ...FOREIGN_PHRASES.map(foldAccents),
  ...ofKeys,
  ...ofCodes,
]);
const WORDS = new Set([
  ...SECRET_WORDS,
  ...FOREIGN_WORDS.map(foldAccents),
  ...PERSONAL_NUMBERS,
  ...DOUBTFUL_NAMES.filter((name) => !name.includes(' ')),
  ...[...PHRASES].map((phrase) => phrase.replaceAll(' ', '')),
]);
const ALONE = new Set(SECRET_ALONE);
const CONTAINER = new Set(CONTAINERS);
const CONTAINER_END = new Set(CONTAINER_ENDS);
const ABOUT_END = new Set(ABOUT_ENDS);
const ID_END = new Set(ID_ENDS);
const OPENING_ID = new Set(OPENING_IDS);
const ABOUT_BEGINNING = new Set(ABOUT_BEGINNINGS);
const COUNTED_BEGINNING = new Set(COUNTED_BEGINNINGS);
const OTHER_PASS = new Set(OTHER_PASSES);
const DECODED = new Set(DECODED_BEGINNINGS);
const HARMLESS = new Set(HARMLESS_HOLDERS.map((phrase) => phrase.replace(/s$/, '')));
/** Matches a word of `PASSWORD_STEMS` and a word of `PASSWORD_ENDS`, at the end of a name written as one word. */
const STEM_AND_END = new RegExp(`(?:${PASSWORD_STEMS.join('|')})(?:${PASSWORD_ENDS.join('|')})$`);
const LINK_TOKEN = new Set(LINK_TOKENS);
const NO_SECRET = new Set(NO_SECRETS);
const SAME = new Set(SAME_ENDS);
const OF_MANY_KINDS = new Set(OTHER_KINDS);
const DOUBTFUL = new Set([
  ...DOUBTFUL_NAMES,
  ...PERSONAL_NUMBERS,
  ...PERSONAL_PHRASES,
  ...PERSONAL_PHRASES.map((phrase) => phrase.replaceAll(' ', '')),
]);
const OF_BANK = new Set(['bank', 'giro', 'routing', 'iban', 'checking', 'savings']);
const ACCOUNT = new Set(ACCOUNT_PHRASES.flatMap((phrase) => [phrase, phrase.replaceAll(' ', '')]));
const OF_MONEY = new Set(MONEY_WORDS);
/**
 * Singular words for secrets whose plural is harmless: a list of sessions, cards on a screen, pins on a map.
 */
const NO_PLURAL = new Set(['session', 'card', 'pin', 'salt', 'authorization']);
const SHORT_END = new Set(SHORT_ENDS);
/** Words that end names written as one word: `newpassword`, `clientsecret`. */
const ENDS = [...WORDS].filter((word) => word.length >= MIN_WRITTEN_IN_ONE || SHORT_END.has(word));
const END_LENGTHS = [...new Set(ENDS.map(({ length }) => length))];
const END = new Set(ENDS);
/** Last three letters of `ENDS`. Few other words end with these letters, so most words are not compared further. */
const LAST_LETTERS = new Set(ENDS.map((word) => word.slice(-3)));

interface Found {
  /** Index, among the words of the name, of the last word that names the secret. */
  readonly last: number;
  readonly word: string;
  readonly plural: boolean;
}

/**
 * Recognizes names of secrets by the built-in rules and a project's own rules. Names are compared by whole
 * words: `shippingPin` is a secret's name, `shipping` is not; `card` is, `discard` is not.
 */
export class SecretNames {
  readonly #own = new Set<string>();
  readonly #judged = new Map<string, JudgedName>();
  #longestOwn = 0;

  constructor(own: readonly string[] = []) {
    for (const name of own) {
      const named = splitWords(name);
      if (named.length === 0) continue;
      this.#own.add(named.join(' '));
      this.#longestOwn = Math.max(this.#longestOwn, named.length);
    }
  }

  judge(name: string): NameVerdict {
    return withoutIds(this.look(name).verdict);
  }

  look(name: string): JudgedName {
    const known = this.#judged.get(name);
    if (known !== undefined) return known;
    // Leaves out the marks of an earlier redaction, which do not change what a name means.
    const whole = decodeName(name.replaceAll(REDACTED_TEXT, ''));
    const all = splitWords(whole.length > MAX_JUDGED_LENGTH ? whole.slice(-MAX_JUDGED_LENGTH) : whole);
    // Versions do not change the meaning: `apiV3Key`.
    const split = all.length > 1 && all.includes('v') ? all.filter((word) => word !== 'v') : all;
    const found = judgeWords(split);
    // Redaction changes a name that is itself a text such as `{"pin":1234}`. A second redaction would not recognize the changed name, so
    // the whole value is hidden.
    const isText =
      found !== 'plain' &&
      (name.length > MAX_STABLE || ((isCounted(found) || isHolder(found)) && /["{:=]/.test(name)));
    const rest = namesHeader(found, split) ? 'header' : found;
    const verdict = this.#isOwn(split) ? 'own' : isText ? 'secret' : rest;
    const judged = { verdict, role: findRole(name) };
    if (name.length <= MAX_CACHED_LENGTH) {
      if (this.#judged.size >= MAX_CACHED) this.#judged.clear();
      this.#judged.set(name, judged);
    }
    return judged;
  }

  #isOwn(split: readonly string[]): boolean {
    if (this.#longestOwn === 0) return false;
    return split.some((_, start) => {
      let phrase = '';
      for (let end = start; end < split.length && end - start < this.#longestOwn; end++) {
        phrase += end === start ? split[end] : ` ${split[end]}`;
        if (this.#own.has(phrase)) return true;
      }
      return false;
    });
  }
}

const NAMING = new Set([...NAMING_NAMES, ...LABEL_NAMES]);
const VALUE = new Set([...VALUE_NAMES, ...CONTENT_NAMES]);

function findRole(name: string): NameRole {
  const lower = name.toLowerCase();
  if (NAMING.has(lower)) return 'naming';
  if (VALUE.has(lower)) return 'value';
  return lower === 'code' ? 'code' : undefined;
}

function namesHeader(found: NameVerdict, split: readonly string[]): boolean {
  return found === 'secret' && split.length > 1 && split.at(-1) === 'header';
}

function judgeWords(split: readonly string[]): NameVerdict {
  const [first = ''] = split;
  if (split.length === 1 && ALONE.has(first))
    return CONTAINER.has(first) ? 'container' : first === 'pass' ? 'outcome' : 'secret';
  if (split.length === 1 && LINK_TOKEN.has(first)) return 'random';
  // Browsers cannot set headers of a WebSocket, so pages send a token as a protocol.
  if (split.at(-1) === 'protocol' && split.at(-2) === 'websocket') return 'random';
  const found = findSecret(split);
  if (found === undefined) return 'plain';
  const end = split.at(-1) ?? '';
  if (split.length > 1 && HARMLESS.has(`${split.at(-2)} ${end.replace(/s$/, '')}`)) return 'plain';
  if (found.last < split.length - 1) {
    if (ID_END.has(end)) {
      if (found.word === 'secret') return 'secret id';
      if (OPENING_ID.has(found.word)) return 'secret';
      return OF_MANY_KINDS.has(found.word) || ACCOUNT.has(found.word) ? 'plain' : 'id';
    }
    if (ABOUT_END.has(end) || (TIME_ENDS.has(end) && ABOUT_TIME.has(split.at(-2) ?? ''))) return 'plain';
  }
  if (split.length > 1 && ABOUT_BEGINNING.has(first)) return 'plain';
  if (found.plural && found.word === 'token' && COUNTED_BEGINNING.has(split[found.last - 1] ?? ''))
    return 'plain';
  if (found.last < split.length - 1) {
    if (RESULT_ENDS.has(end)) return 'container';
    if (end === 'change' || (CHECKED.has(found.word) && RESULTS.has(end))) return 'likely';
    if (CONTAINER_END.has(end)) return 'container';
    return isSameThing(split, found.last) || isAlwaysSecret(split, found) ? 'secret' : 'likely';
  }
  if (ACCOUNT.has(found.word)) return split.some((word) => OF_BANK.has(word)) ? 'secret' : 'account';
  if (DOUBTFUL.has(found.word) && !OF_MONEY.has(split[found.last - 1] ?? '')) return 'likely';
  if (CONTAINER.has(found.word) || found.word.endsWith(' auth')) return 'container';
  if (found.word === 'token' && DECODED.has(first)) return 'container';
  if (found.word === 'session') return 'session';
  if (
    (split.length > 1 || MACHINE_MADE.has(found.word)) &&
    OF_MANY_KINDS.has(found.word) &&
    !OF_MONEY.has(split[found.last - 1] ?? '')
  )
    return 'likely';
  if (/^pin ?code$/.test(found.word) && !found.plural) return 'postal';
  if (HOLDER.test(found.word)) return found.plural ? 'holders' : 'holder';
  // A number under a plural name is a count. Codes are the exception: they are numbers themselves.
  return found.plural && !found.word.endsWith('code') ? 'texts' : 'secret';
}

/** True if a secret's word has no other meaning, alone or with the word before it. */
function isAlwaysSecret(split: readonly string[], { word, last }: Found): boolean {
  return ALWAYS_SECRET.test(word) || (word === 'secret' && OF_A_SECRET.has(split[last - 1] ?? ''));
}

/** True if the words after the secret's word still denote the secret: `passwordConfirm`, `token2`, `secretProd`. */
function isSameThing(split: readonly string[], last: number): boolean {
  return split.every((word, at) => at <= last || word.length <= MAX_SHORT || SAME.has(word));
}

/** Finds the last word or phrase that names a secret. */
function findSecret(split: readonly string[]): Found | undefined {
  for (let last = split.length - 1; last >= 0; last--) {
    const word = split[last] ?? '';
    if (isPass(split, last)) return { last, word, plural: false };
    const single = findSingular(word);
    if (single !== undefined) return { last, word: single, plural: single !== word };
    const phrase = findPhrase(split, last);
    if (phrase !== undefined) return { last, ...phrase };
  }
  return undefined;
}

/** Abbreviations of "personal access token" and "signature". They name a secret only after at least two other words. */
const SHORT_NAMES = new Set(['pat', 'sig']);

/** Words after `pass` that only a password has: `pass_hash`. */
const PASS_END = new Set(['hash', 'hashed', 'salt', 'digest', 'confirm', 'confirmation', 'again']);

/** True for names such as `DB_PASS`, `smtpPass` and `pass_hash`, and for personal access tokens: `DEVOPS_EXT_PAT`. */
function isPass(split: readonly string[], last: number): boolean {
  if (SHORT_NAMES.has(split[last] ?? '') && last === split.length - 1 && last > 1) return true;
  if (split[last] !== 'pass' || OTHER_PASS.has(split[last - 1] ?? '')) return false;
  return last === split.length - 1
    ? last > 0
    : last === split.length - 2 && PASS_END.has(split[last + 1] ?? '');
}

function findPhrase(split: readonly string[], last: number): { word: string; plural: boolean } | undefined {
  const end = split[last] ?? '';
  const ends = end.endsWith('s') ? [end, end.slice(0, -1)] : [end];
  for (const one of ends) {
    let phrase = one;
    for (let start = last - 1; start >= 0 && last - start < MAX_PHRASE_WORDS; start--) {
      phrase = `${split[start]} ${phrase}`;
      if (PHRASES.has(phrase) || isJoined(split, start, last, one))
        return { word: phrase, plural: one !== end };
    }
  }
  return undefined;
}

const MIN_JOINED = 6;

/** True if two words are one word that was split at a capital: `PassWd`, `privKey`. */
function isJoined(split: readonly string[], start: number, last: number, end: string): boolean {
  const first = split[start] ?? '';
  if (start !== last - 1 || first.length < 2 || end.length < 2) return false;
  return first.length + end.length >= MIN_JOINED && WORDS.has(`${first}${end}`);
}

/** Returns the singular of a word for a secret; undefined for other words. */
function findSingular(word: string): string | undefined {
  if (isSecretWord(word)) return word;
  if (!word.endsWith('s')) return word.charCodeAt(0) >= 0x0e00 && isUnspacedSecret(word) ? word : undefined;
  const singular = word.slice(0, -1);
  return !NO_PLURAL.has(singular) && isSecretWord(singular) ? singular : undefined;
}

function isSecretWord(word: string): boolean {
  return WORDS.has(word) || (word.length >= MIN_WRITTEN_IN_ONE && isWrittenInOne(word));
}

/** True for names such as `newpassword`, `dbpass`, `clientsecret` and `passwordhash`. */
function isWrittenInOne(word: string): boolean {
  if (NO_SECRET.has(word)) return false;
  if (LAST_LETTERS.has(word.slice(-3))) {
    for (const length of END_LENGTHS) {
      if (length < word.length && END.has(word.slice(-length))) return true;
    }
  }
  if (word.endsWith('pass')) return !OTHER_PASS.has(word.slice(0, -4));
  return word.length > MIN_STEM && STEM_AND_END.test(word);
}

function isUnspacedSecret(word: string): boolean {
  return UNSPACED_WORDS.some((secret) => {
    const at = word.indexOf(secret);
    return at >= 0 && !UNSPACED_ABOUT.some((about) => word.includes(about, at + secret.length));
  });
}

/** True if a word in lower case can be the last word of a secret's name, whatever the words before it are. */
export function isNounAlone(word: string): boolean {
  return findSingular(word) !== undefined || ALONE.has(word) || LINK_TOKEN.has(word) || SHORT_NAMES.has(word);
}

/** True if a single word of a sentence names a secret. */
export function isSecretNoun(word: string): boolean {
  return findSingular(foldAccents(word.toLowerCase())) !== undefined;
}

const ENGLISH = new Set(SECRET_WORDS);
const FOREIGN = new Set(
  [...FOREIGN_WORDS, ...FOREIGN_PHRASES.map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1))]
    .map(foldAccents)
    .filter((word) => !ENGLISH.has(word)),
);

/** True if a word of a sentence names a secret, or ends a secret's name, in a language other than English. */
export function isForeignNoun(word: string): boolean {
  return FOREIGN.has(foldAccents(word.toLowerCase()));
}

/** True if a word of a sentence only describes the word before it. */
export function isAboutWord(word: string): boolean {
  return ABOUT_END.has(word) || ID_END.has(word);
}

/** True if a name of one or several words ends with a secret's name: `my api key`. */
export function endsInSecret(name: string): boolean {
  const split = splitWords(name);
  return findSecret(split)?.last === split.length - 1;
}

export function hasSecretName(text: string): boolean {
  return findSecret(splitWords(text)) !== undefined;
}

/** All words and phrases, from which other tables are built. */
export const SECRET_TERMS = { words: WORDS, phrases: PHRASES } as const;
