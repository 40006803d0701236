import { startOfWords } from '../../names/find-name.ts';
import { endsInSecret, isSecretNoun } from '../../names/names.ts';
import type { NounKind } from '../../names/nouns.ts';
import { isLongId, isPlainWord, isStateWord } from '../../shapes/plausible.ts';
import { DASH, findRunStart, isWordCharacter } from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import { startOfToken } from '../../values/strings.ts';
import { isValue } from './sentence-values.ts';

/**
 * Matches the words between a value and the name after it: `X is my password`, `used X as the password`, `X als
 * Passwort`.
 */
const BEFORE =
  /(?:^|\s)(?:(?:that|which|das|esa|esta)\s)?(?:is|was|are|be|as|ist|war|als|est|comme|es|como|e|é|è|come|jest|jako|olarak|som|to)\s+(?:\S{1,12}\s+){0,3}$/i;
const MAX_BEHIND = 60;

/** Finds a secret that precedes its name. The name begins at `start`. */
export function findBeforeName({ text }: TextScan, start: number, kind: NounKind): Part | undefined {
  const quoted = findQuotedBefore(text, start, kind);
  if (quoted !== undefined || text.charCodeAt(start - 1) !== 0x20) return quoted;
  const from = Math.max(0, start - MAX_BEHIND);
  const before = BEFORE.exec(text.slice(from, start));
  if (before === null) return undefined;
  const word = kind === 'secret' ? AS_PASSWORD.exec(text.slice(from, start))?.[1] : undefined;
  if (
    word !== undefined &&
    !isStateWord(word) &&
    !isSecretNoun(word) &&
    CHOSEN_NAME.test(text.slice(start, start + 24))
  ) {
    const begins = from + text.slice(from, start).lastIndexOf(word);
    return { start: begins, end: begins + word.length };
  }
  let end = from + before.index;
  while (end > 0 && /[\s"'`,]/.test(text.charAt(end - 1)) && from + before.index - end < 4) end--;
  const tokenStart = startOfToken(text, end);
  const token = text.slice(tokenStart, end);
  if (kind === 'weak' || !isValue(token, kind, false)) return undefined;
  return { start: tokenStart, end };
}

/** A word with a capital that is used as the password: `log in with ada and Sommer as password`. */
const AS_PASSWORD =
  /\s(?:and|with|use|using|und|mit|avec|et|con|y) (?!(?:Email|Phone|User|Name|Login|Basic)\b)(\p{Lu}\p{Ll}{3,31}) (?:as|als|comme|como) (?:(?:the|my|your|a) )?$/u;
const CHOSEN_NAME = /^(?:passw|kennwort|mot |contrase|senha|wachtwoord)/i;

/** Matches a quoted value before its name: `value 'X' of password`, `'X' for key 'password'`. */
const QUOTED_BEFORE =
  /(value\s)?(["'`])([^"'`\s]{5,64})\2(?: \(type \w{1,16}\))?\s(?:of|for|as|at|in|is|was)\s(?:(?:the|your|my|field|column|key|path|property|parameter|param|attribute|header|setting|variable)\s)*["'`]?[\w.-]{0,24}$/i;
const MAX_QUOTED_BEFORE = 110;

function findQuotedBefore(text: string, start: number, kind: NounKind): Part | undefined {
  if (kind === 'weak') return undefined;
  const from = Math.max(0, start - MAX_QUOTED_BEFORE);
  const found = QUOTED_BEFORE.exec(text.slice(from, start));
  const value = found?.[3];
  if (found === null || value === undefined) return undefined;
  const isWord = found[1] !== undefined && isPlainWord(value) && !isStateWord(value);
  if (!isWord && !isValue(value, kind, false) && !isLongId(value)) return undefined;
  const begins = from + found.index + (found[1]?.length ?? 0) + 1;
  return { start: begins, end: begins + value.length };
}

/**
 * Finds the start of the multi-word name that ends with the word from `start` to `end`; undefined if the
 * words are not a secret's name.
 */
export function startOfPhrase(text: string, start: number, end: number): number | undefined {
  // Also searches back over words that are written as one or joined by dashes and underscores: `api_key`, `apiKey`.
  const joined = findRunStart(text, start, (code) => isWordCharacter(code) || code === DASH, 40);
  let first = joined;
  for (let words = 1; words <= 4; words++) {
    if (first < start && endsInSecret(text.slice(first, end))) return first;
    const before = startOfWords(text, joined, words);
    if (before === first) return undefined;
    first = before;
  }
  return undefined;
}
