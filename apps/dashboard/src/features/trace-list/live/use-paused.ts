import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { findListLimits, readTimeRange } from '../../../shell/time-range/time-range.ts';
import { useChangeView, type ViewChange, type ViewParams } from '../../../shell/url-state/search-params.ts';

const route = getRouteApi('/signed-in');

/**
 * URL parameters that remove a time range with a fixed end. After a zoom into a range such as "last hour", only the zoom is removed,
 * because only the zoom has a fixed end.
 */
const WITHOUT_ENDED: ViewChange = { from: undefined, to: undefined, start: undefined, end: undefined };

/**
 * Returns whether the live feed is paused, and a function that pauses or resumes it. If the URL has a time range that is over, resuming
 * removes this range: no new trace would match it.
 */
export function usePaused(): { readonly paused: boolean; readonly pause: (paused: boolean) => void } {
  const [paused, setPaused] = useState(false);
  const over = route.useSearch({ select: isOver });
  const change = useChangeView();
  const pause = (next: boolean) => {
    setPaused(next);
    if (!next && over) change(WITHOUT_ENDED, { replace: true });
  };
  return { paused, pause };
}

function isOver(view: ViewParams): boolean {
  const now = new Date();
  return findListLimits(readTimeRange(view, now), now).endDate !== undefined;
}
