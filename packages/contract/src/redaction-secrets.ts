import { REDACTED_TEXT } from './redaction-text.ts';

/** Shorter texts are too common to be told from others. */
const SHORTEST = 6;
/** Within other texts only longer ones are looked for. */
const SHORTEST_PART = 8;
const LONGEST = 4096;
const MOST = 20;

/** A word, such as a card's kind: hiding it everywhere would hide more than the secret. The pattern is made when it is first asked for. */
const isWord = (text: string): boolean => /^(?:\p{Lu}?\p{Ll}+|[\p{Lu}_]+)$/u.test(text);

/** Remembers a text that was hidden for its name, if it can be told from others; of `Bearer abc…` also the credentials alone. */
export function noteSecret(text: string, found: Set<string>): void {
  const credentials = /^\w+ (\S{8,})$/.exec(text)?.[1];
  for (const secret of [text, credentials]) {
    if (secret === undefined || secret.length < SHORTEST || secret.length > LONGEST) continue;
    if (found.size < MOST && !isWord(secret)) found.add(secret);
  }
}

/** `text` without any of the secrets, which stand alone in it or, the longer ones, within it. */
export function hideTexts(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) {
    if (shown === secret) return REDACTED_TEXT;
    if (secret.length >= SHORTEST_PART && shown.includes(secret))
      shown = shown.replaceAll(secret, REDACTED_TEXT);
  }
  return shown;
}
