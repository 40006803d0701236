import type { AnalyticsRange } from '@throughline/contract';
import { formatStart } from '../../../ui/time/relative-time.ts';

/**
 * True if a response has stats of the previous period. False if these stats were not requested, or if the plan hides a part of the period.
 */
export function isCompared({ previous }: Pick<AnalyticsRange, 'previous'>): boolean {
  return previous !== null && previous.shownSince === null;
}

/** Returns a sentence that says since when the plan shows traces. Returns undefined if the plan shows all requested stats. */
export function describeRetention({
  shownSince,
  previous,
}: Pick<AnalyticsRange, 'shownSince' | 'previous'>): string | undefined {
  const hiddenSince = shownSince ?? previous?.shownSince ?? null;
  if (hiddenSince === null) return undefined;
  const since = formatStart(Date.parse(hiddenSince));
  return previous === null
    ? `Your plan shows traces since ${since}.`
    : `Your plan shows traces since ${since}, so there is no comparison with the previous period.`;
}
