import { isAboutWord, isSecretNoun } from '../../names/names.ts';
import { foldAccents } from '../../names/split-words.ts';
import { isPlaceholder, isPlainWord, isStateWord } from '../../shapes/plausible.ts';
import type { Part } from '../../texts/scan.ts';

/** Words for a password that a person chooses and a program judges. */
const CHOSEN = /^(?:passwor[dt]|kennwort|pass(?:phrase|code)|pin)$/i;
/** Matches words that programs print after a refused password, but not after the name of a field or a feature. */
const JUDGED =
  /^ (?:(?:does|did) ?n[o']t (?:match|meet|satisfy|comply|contain)\b|is (?:too (?:short|weak|long|common|simple)|weak|leaked|compromised)\b|was (?:found|seen) in\b|violates\b|ist zu (?:kurz|schwach|lang|einfach)\b|entspricht nicht\b)/i;
const VALUE = /^ ([^\s"'`,;:()‹]{4,64})(?= )/;
/** Words that, after `password`, name a part of a page or of a program: `password prompt`. */
const PARTS =
  /^(?:prompt|entry|vault|check|form|link|quality|hint|store|input|field|hash|text|repeat|repetition|retype|given|again|here|quality|eingabe|lange|laenge|wiederholung|starke|staerke|bestatigung|bestaetigung|qualitat|qualitaet|feld|richtlinie|vorgabe|hier)$/;

/** Finds the password in a message that says why the password was refused: `Password X does not match policy`. */
export function findJudged(text: string, start: number, end: number): Part | undefined {
  if (!CHOSEN.test(text.slice(start, end))) return undefined;
  const rest = text.slice(end, end + 140);
  const value = VALUE.exec(rest)?.[1];
  if (value === undefined || !JUDGED.test(rest.slice(value.length + 1))) return undefined;
  const word = foldAccents(value.toLowerCase());
  if (isPlaceholder(value) || PARTS.test(word) || isAboutWord(word)) return undefined;
  if (isPlainWord(value) && (isStateWord(value) || isSecretNoun(value))) return undefined;
  return { start: end + 1, end: end + 1 + value.length };
}
