import { isPlaceholder } from '../shapes/plausible.ts';
import type { Part } from '../texts/scan.ts';

/**
 * Returns the range of a secret that a pattern captured at the end of its match. `from` is the index at which the searched text begins.
 * Returns undefined if there is no match, or if the secret is a placeholder. By default, the secret is in the first or the second group.
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
