import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';

const route = getRouteApi('/signed-in');

/** True if new rows are held back. Resuming also leaves a fixed time range that is over, since no new rows match it. */
export function usePaused(): { readonly paused: boolean; readonly pause: (paused: boolean) => void } {
  const [paused, setPaused] = useState(false);
  const over = route.useSearch({ select: ({ to }) => to !== undefined });
  const change = useChangeView();
  const pause = (next: boolean) => {
    setPaused(next);
    if (!next && over) change({ from: undefined, to: undefined }, { replace: true });
  };
  return { paused, pause };
}
