import { ENCODED_JSON, readShapes } from '../shapes/shape-table.ts';
import { COMMANDS } from '../syntax/commands.ts';
import { DIRECTIVES } from '../syntax/directives.ts';
import { LINK_WORDS } from '../syntax/links.ts';
import { LOGIN_CALLS } from '../syntax/login-calls.ts';
import { SUBCOMMANDS } from '../syntax/subcommands.ts';
import { UNSPACED_WORDS } from './name-languages.ts';
import { SECRET_TERMS } from './names.ts';

/** Kinds of names that can start at a word of a sentence. */
export type NounKind =
  /** The name of a secret. */
  | 'secret'
  /** The name of a secret that sentences also use in other senses. */
  | 'weak'
  /** The name of a secret that is a number. */
  | 'numeric'
  /** The last word of a name with several words: `api key`. */
  | 'end-of-phrase'
  /** A scheme of the authorization header. */
  | 'scheme'
  /** The word `pass`, if it is short for password and follows a user name: `user ada pass X`. */
  | 'pass'
  | 'identified'
  /** The first word of a directive in a configuration: `ENV TOKEN X`. */
  | 'directive'
  /** A function or a command that logs in with a user and a password: `client.login('ada', 'X')`. */
  | 'call'
  /** A program with a subcommand that takes a password: `rabbitmqctl change_password ada X`. */
  | 'program'
  | 'insert'
  /** A word of a link's path before the link's token: `/reset-password/X`. */
  | 'link';

/** The kind of each noun. The nouns are in lower case and without accents. */
const nouns = new Map<string, NounKind>();
export const NOUNS: ReadonlyMap<string, NounKind> = nouns;

/** Bit of an entry of `beginnings`: a noun of {@link NOUNS} can begin with the three characters of the entry. */
export const NOUN_BEGINS = 1;
/** Bit of an entry of `beginnings`: a key of a known shape can begin with the three characters of the entry. */
export const SHAPE_BEGINS = 2;

/**
 * Table of the bits {@link NOUN_BEGINS} and {@link SHAPE_BEGINS}. An index of the table consists of the lowest five bits of a word's first
 * three characters. Most words have neither bit.
 */
export const beginnings = new Uint8Array(1 << 15);

export function indexOfBeginning(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
}

function note(text: string, bit: number): void {
  const [first, second, third] = [text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2)];
  if (text.length > 2)
    beginnings[indexOfBeginning(first, second, third)] =
      (beginnings[indexOfBeginning(first, second, third)] ?? 0) | bit;
  else for (let any = 0; any < 32; any++) note(`${text}${String.fromCharCode(any)}`, bit);
}

const HASH_BITS = 15;
/** Table of the hashes of {@link NOUNS}. Few other words have one of these hashes, so most words are rejected without creating a string. */
export const nounHashes = new Uint8Array(1 << HASH_BITS);

/** Adds a character to a word's hash, ignoring case. */
export function hashWith(hash: number, code: number): number {
  return Math.imul(hash ^ (code | 0x20), 0x01000193);
}

export function placeOfHash(hash: number): number {
  return (hash ^ (hash >>> HASH_BITS)) & ((1 << HASH_BITS) - 1);
}

function hashWord(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = hashWith(hash, word.charCodeAt(at));
  return hash;
}

/** First characters of non-ASCII words in scripts that use spaces. `unspacedWords` lists the words of scripts without spaces. */
export const wideBeginnings = new Set<number>();
export const unspacedWords = new Map<number, string[]>();

/** Beginnings of nouns with accents, which the tables of names contain only without accents. */
const ACCENTED_BEGINNINGS = ['cód', 'lös', 'prü', 'tür', 'khẩ', 'klí', 'clé', 'lép', 'vér', 'séc', 'sér'];

let isPrepared = false;

/** Fills the tables of nouns. Called by the first search, not when the module is loaded, so that a service starts faster. */
export function prepareNouns(): void {
  if (isPrepared) return;
  isPrepared = true;
  for (const phrase of SECRET_TERMS.phrases)
    nouns.set(phrase.slice(phrase.lastIndexOf(' ') + 1), 'end-of-phrase');
  add('end-of-phrase', 'keys codes codigo codice');
  for (const word of SECRET_TERMS.words) {
    nouns.set(word, 'secret');
    nouns.set(`${word}s`, 'secret');
  }
  // In sentences, a pan is more often a pot than a card number (primary account number).
  nouns.delete('pan');
  add('weak', 'sid sig session cookie cookies signature salt card authorization');
  add('numeric', 'tan pin pincode otp totp cvv cvc cvn ssn пин пін');
  add('scheme', 'bearer basic digest bot');
  add('pass', 'pass');
  add('identified', 'identified');
  add('insert', 'insert replace');
  add('link', LINK_WORDS);
  add('call', LOGIN_CALLS);
  add('program', SUBCOMMANDS);
  add('directive', DIRECTIVES);
  for (const word of nouns.keys()) {
    nounHashes[placeOfHash(hashWord(word))] = 1;
    if (word.charCodeAt(0) < 128) note(word, NOUN_BEGINS);
    else wideBeginnings.add(word.charCodeAt(0));
  }
  for (const word of COMMANDS.split(' ')) note(word, NOUN_BEGINS);
  for (const word of ACCENTED_BEGINNINGS) note(word, NOUN_BEGINS);
  for (const { start } of readShapes()) note(start, SHAPE_BEGINS);
  for (const start of ENCODED_JSON) note(start, SHAPE_BEGINS);
  for (const word of UNSPACED_WORDS) {
    const first = word.charCodeAt(0);
    unspacedWords.set(first, [...(unspacedWords.get(first) ?? []), word]);
  }
}

function add(kind: NounKind, words: string): void {
  for (const word of words.split(' ')) nouns.set(word, kind);
}
