import { useState } from 'react';
import { useChangeView } from '../../shell/search-params.ts';

/** Whether new rows are held. Whoever wants them again leaves a chosen stretch of time, to which none come. */
export function usePaused(): { readonly paused: boolean; readonly pause: (paused: boolean) => void } {
  const [paused, setPaused] = useState(false);
  const change = useChangeView();
  const pause = (next: boolean) => {
    setPaused(next);
    if (!next) change({ from: undefined, to: undefined }, { replace: true });
  };
  return { paused, pause };
}
