import { REDACTED_MARK, REDACTED_TEXT } from './characters.ts';

/**
 * Number of characters after a cut that are redacted together with the text before the cut. Most patterns that reveal a secret are
 * shorter, such as a key of minimum length, or the words between a value and its name.
 */
export const CUT_MARGIN = 256;

/**
 * Cuts a redacted text to `length` characters. `text` is the same text before its redaction, and longer than `length`. Characters of `text`
 * after `length` are left out even if the redacted text is shorter: they can belong to a secret that only characters after `text` reveal.
 */
export function cutShown(text: string, shown: string, length: number): string {
  let end = text.length;
  let shownEnd = shown.length;
  for (const part of shown.split(REDACTED_TEXT).toReversed()) {
    const start = findLast(text, part, length, end);
    // `part` ends before the cut. The secret after `part` therefore begins before the cut, and the secret's mark stays.
    if (start === undefined) break;
    if (start < length) return takeStart(shown, Math.min(length, shownEnd - part.length + length - start));
    // The mark before this part replaced at least one character.
    end = start - 1;
    shownEnd -= part.length + REDACTED_TEXT.length;
  }
  return takeStart(shown, Math.min(length, shownEnd + REDACTED_TEXT.length));
}

/**
 * Finds the last place in `text` at which `part` ends after `length`, but not after `end`. If `part` occurs more than once, the found place
 * can be later than the correct place. Then too much is left out, but nothing is revealed.
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
