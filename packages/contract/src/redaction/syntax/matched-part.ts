import { isPlaceholder } from '../shapes/plausible.ts';
import type { Part } from '../texts/scan.ts';

/**
 * Returns the place of a secret that a pattern captured at the end of a match; `from` is where the matched text starts. Returns undefined
 * without a match, and for a placeholder. By default, the secret is the first group that matched of two.
 */
export function toMatchedPart(
  from: number,
  found: RegExpExecArray | null,
  value = found?.[1] ?? found?.[2],
): Part | undefined {
  if (found === null || value === undefined || isPlaceholder(value)) return undefined;
  const start = from + found.index + found[0].lastIndexOf(value);
  return { start, end: start + value.length };
}
