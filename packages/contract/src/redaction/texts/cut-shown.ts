import { REDACTED_MARK, REDACTED_TEXT } from './characters.ts';

/**
 * Number of characters behind a cut that are redacted together with the text before the cut. Most forms by which secrets are recognized are
 * shorter, such as the minimum length of a key, or the words between a value and its name.
 */
export const CUT_MARGIN = 256;

/**
 * Cuts a redacted text to `length` characters. `text` is the same text before its redaction, and longer than `length`. Leaves out the
 * characters of `text` behind `length`, even if the redacted text is shorter: they can be part of a form that the rest of the text ends.
 */
export function cutShown(text: string, shown: string, length: number): string {
  let end = text.length;
  let shownEnd = shown.length;
  for (const part of shown.split(REDACTED_TEXT).toReversed()) {
    const start = findLast(text, part, length, end);
    // This part, and the beginning of the secret behind it, are before the cut.
    if (start === undefined) break;
    if (start < length) return takeStart(shown, Math.min(length, shownEnd - part.length + length - start));
    // A mark replaced at least one character.
    end = start - 1;
    shownEnd -= part.length + REDACTED_TEXT.length;
  }
  return takeStart(shown, Math.min(length, shownEnd + REDACTED_TEXT.length));
}

/**
 * Finds the last place of `part` in `text` that ends behind `length`, and at `end` at the latest. The place can be later than the true one,
 * so at worst too much is left out.
 */
function findLast(text: string, part: string, length: number, end: number): number | undefined {
  for (let start = end - part.length; start >= 0 && start + part.length > length; start--) {
    if (text.startsWith(part, start)) return start;
  }
  return undefined;
}

/** Returns the first `length` characters of a redacted text. Splits neither a surrogate pair nor the mark of a redacted part. */
export function takeStart(shown: string, length: number): string {
  if (shown.length <= length) return shown;
  let end = length;
  const near = Math.max(0, end - REDACTED_TEXT.length + 1);
  for (let at = near; at < end; at++) {
    if (shown.charCodeAt(at) === REDACTED_MARK && shown.startsWith(REDACTED_TEXT, at)) end = at;
  }
  const last = shown.charCodeAt(end - 1);
  return shown.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
