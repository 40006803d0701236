const MIN_LENGTH = 12 * 4 - 1;
const MAX_LENGTH = 24 * 9;
/** The words of a wallet's phrase have three to eight letters. */
const PHRASE = /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/;
const COUNTS = new Set([12, 15, 18, 21, 24]);
/** Frequent words of sentences that are not in the list of words for wallets (BIP 39). */
const OF_SENTENCES =
  /\b(?:the|and|for|with|that|was|are|not|from|has|were|this|have|will|you|your|but|they|its|our|und|der|die|das|ein|eine|mit|von|para|com|que|uma|por|les|des|une|los|las|una|est|pas)\b/;

/** True for a text that consists of a wallet's recovery phrase: 12 to 24 short words and nothing else. */
export function isRecoveryPhrase(text: string): boolean {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH || !PHRASE.test(text)) return false;
  return COUNTS.has(text.split(' ').length) && !OF_SENTENCES.test(text);
}
