import { useMemo } from 'react';
import { findListLimits, readTimeRange, type TimeRange } from '../../shell/time-range/time-range.ts';
import { useMinute } from '../../shell/time-range/use-minute.ts';
import { useViewParams } from '../../shell/url-state/search-params.ts';
import type { ErrorRange } from './queries.ts';

/** The time range of a page whose URL contains no time range. */
const USUAL = { kind: 'last', last: '7d' } as const;

/** The page's range, and the start and end that limit the server's query. */
export interface ShownRange {
  readonly range: TimeRange;
  readonly limits: ErrorRange;
}

/**
 * Returns the page's range, and the start and end for the server's query. Computed again each minute, because the start of a range that
 * ends now, such as the last seven days, moves with the current time.
 */
export function useErrorRange(): ShownRange {
  const { from, to, start, end, last, days } = useViewParams();
  const minute = useMinute();
  return useMemo(() => {
    const now = new Date(minute);
    const range = readTimeRange({ from, to, start, end, last, days }, now) ?? USUAL;
    return { range, limits: findListLimits(range, now) };
  }, [from, to, start, end, last, days, minute]);
}
