import type { Part } from '../texts/scan.ts';

const MIN_LENGTH = 12 * 4 - 1;
const MAX_LENGTH = 24 * 9;
/** The words of a wallet's phrase have three to eight letters. */
const PHRASE = /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/;
const COUNTS = new Set([12, 15, 18, 21, 24]);
/** Frequent words of sentences that are not in the list of words for wallets (BIP 39). */
const OF_SENTENCES =
  /\b(?:the|and|for|with|that|was|are|not|from|has|were|this|have|will|you|your|but|they|its|our|und|der|die|das|ein|eine|mit|von|para|com|que|uma|por|les|des|une|los|las|una|est|pas)\b/;

/** True for a text that consists of a wallet's recovery phrase: 12, 15, 18, 21 or 24 short words and nothing else. */
export function isRecoveryPhrase(text: string): boolean {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH || !PHRASE.test(text)) return false;
  return COUNTS.has(text.split(' ').length) && !OF_SENTENCES.test(text);
}

const AFTER_NAME = /^["']?(?: (?:is|are|was|:))?\s{0,2}[:=]?\s{0,2}["']?([a-z]{3,8}(?: [a-z]{3,8}){11,23})/;

/** Finds a wallet's recovery phrase after its name, which ends at `end`. */
export function findPhrase(text: string, end: number): Part | undefined {
  const found = AFTER_NAME.exec(text.slice(end, end + MAX_LENGTH + 12));
  const words = found?.[1]?.split(' ') ?? [];
  if (found === null || words.length < 12) return undefined;
  const phrase = words.slice(0, words.length < 24 ? 12 : 24).join(' ');
  if (OF_SENTENCES.test(phrase)) return undefined;
  const start = end + found[0].length - (found[1]?.length ?? 0);
  return { start, end: start + phrase.length };
}
