import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useChangeView } from '../../shell/search-params.ts';

const route = getRouteApi('/signed-in');

/** Whether new rows are held. Whoever wants them again leaves a stretch of time that is over, to which none come. */
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
