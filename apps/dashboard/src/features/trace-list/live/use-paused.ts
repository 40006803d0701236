import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { findListLimits, readTimeRange } from '../../../shell/time-range/time-range.ts';
import { useChangeView, type ViewChange, type ViewParams } from '../../../shell/url-state/search-params.ts';

const route = getRouteApi('/signed-in');

/** Removes a time range with a fixed end. If that range is a zoom into a range that ends now, the range that ends now stays. */
const WITHOUT_ENDED: ViewChange = { from: undefined, to: undefined, start: undefined, end: undefined };

/**
 * Returns whether new rows are held back, and a function that changes this. Resuming also removes a fixed time range that is over from the
 * URL, since no new rows match such a range.
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
