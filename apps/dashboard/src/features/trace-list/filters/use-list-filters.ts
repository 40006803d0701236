import { useCallback, useEffect, useMemo, useState } from 'react';
import {
  findListLimits,
  type LastRange,
  readTimeRange,
  toRangeSpan,
} from '../../../shell/time-range/time-range.ts';
import { readTraceFilterParams, type TraceFilterParams } from '../../../shell/url-state/search-params.ts';
import type { ListFilters } from '../queries.ts';
import { readSingleFilters } from '../query-bar/query-params.ts';
import { useListParams } from './use-list-params.ts';

const CHECK_MS = 10_000;
const DAY_MS = 86_400_000;
/**
 * A time range such as "last hour" ends now, and each move of the range loads the list again. The range therefore moves only after its
 * start has moved by this share of the range's length, or by a day if a day is shorter.
 */
const STEP_PART = 1 / 12;

/** Builds a list's filters from the URL. `now` is the end of a range that ends now, such as "last hour". */
export function buildFilters(projectId: string | undefined, view: TraceFilterParams, now: Date): ListFilters {
  const limits = findListLimits(readTimeRange(readTraceFilterParams(view), now), now);
  return { ...readSingleFilters(view), projectId, q: view.exclude, ...limits };
}

/**
 * Returns a list's filters from the URL, and the function `follow`. If a range that ends now, such as "last hour", is outdated, `follow`
 * moves its end to the present. Until `follow` is called, the range stays, so that the list is not loaded again while a user reads it.
 */
export function useListFilters(projectId: string | undefined) {
  const view = useListParams();
  const { last } = view;
  const [chosen, setChosen] = useState(() => ({ last, ms: Date.now() }));
  const current = chosen.last === last ? chosen : { last, ms: Date.now() };
  if (current !== chosen) setChosen(current);
  const filters = useMemo(
    () => buildFilters(projectId, view, new Date(current.ms)),
    [projectId, view, current.ms],
  );
  const follow = useCallback(() => {
    const now = Date.now();
    setChosen((before) =>
      isOutdated(before.last, before.ms, now) ? { last: before.last, ms: now } : before,
    );
  }, []);
  return { filters, follow };
}

/** True if the start of a range that ends now has moved far enough to load the list again. */
export function isOutdated(last: LastRange | undefined, builtMs: number, nowMs: number): boolean {
  if (last === undefined) return false;
  const range = { kind: 'last', last } as const;
  const [before, now] = [builtMs, nowMs].map((ms) => toRangeSpan(range, new Date(ms)));
  if (before === undefined || now === undefined) return false;
  return now.from - before.from >= Math.min(DAY_MS - 1, (now.to - now.from) * STEP_PART);
}

/** Calls `follow` every ten seconds while nobody reads the list (`isIdle`). */
export function useFollowNow(isIdle: boolean, follow: () => void): void {
  useEffect(() => {
    if (!isIdle) return undefined;
    const timer = setInterval(follow, CHECK_MS);
    return () => clearInterval(timer);
  }, [isIdle, follow]);
}
