import { isParticiple, isPlainWord, isSmallWord, isStateWord } from '../../shapes/plausible.ts';
import type { Part } from '../../texts/scan.ts';

/** Names of secrets that consist of several words. */
const PHRASE_NAME = /phrase|mnemonic|seed|frase|satz|zin$|фраза/i;
const MIN_WORDS = 3;
const MAX_WORDS_LENGTH = 200;

/**
 * Finds a secret of plain words: a single word before a punctuation mark or the end of the text (`hunter`), or at least `MIN_WORDS` words
 * without function words (`correct horse battery staple`).
 */
export function findWords(text: string, start: number, end: number, name: string): Part | undefined {
  const rest = text.slice(end, end + MAX_WORDS_LENGTH);
  const first = text.slice(start, end);
  const says = PHRASE_NAME.test(name) ? isSmallWord : isStateWord;
  if (says(first)) return undefined;
  if (/^[.!?]?\s*(?:$|[\r\n,;)}\]|"'`\\<])/.test(rest)) return { start, end };
  const line = /^[^\r\n.,;:"'`)}\]‹\\]*/.exec(rest)?.[0].trimEnd() ?? '';
  const others = line.trim().split(/\s+/);
  if (/^(?:and|und|et|y|e|en|i|ve|и|та|or|but|then|for)$/.test(others[0] ?? '')) return { start, end };
  // A participle shows that the text is a sentence, not a secret: `Password è stata cambiata con successo`.
  if (isParticiple(first)) return undefined;
  const areWords = others.every((word) => isPlainWord(word) && !says(word));
  return areWords && others.length >= MIN_WORDS - 1 ? { start, end: end + line.length } : undefined;
}
