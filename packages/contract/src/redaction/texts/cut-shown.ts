import { REDACTED_MARK, REDACTED_TEXT } from './characters.ts';

/**
 * Number of characters behind a cut that are redacted together with the text before the cut. Most forms by which secrets are recognized are
 * shorter, such as the minimum length of a key, or the words between a value and its name.
 */
export const CUT_MARGIN = 256;

/**
 * Cuts a redacted text to `length` characters. `text` is the same text before its redaction, and longer than `length`. Characters of `text`
 * behind `length` are left out, even if the redacted text is shorter.
 */
export function cutShown(text: string, shown: string, length: number): string {
  const behind = text.length - length;
  let unchanged = 0;
  while (
    unchanged < behind &&
    unchanged < shown.length &&
    text.charCodeAt(text.length - unchanged - 1) === shown.charCodeAt(shown.length - unchanged - 1)
  )
    unchanged++;
  return takeStart(shown, Math.min(length, shown.length - unchanged));
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
