import type { TraceFilters, TraceRow } from '@throughline/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from './api.ts';
import { type FeedState, openLiveFeed } from './live-feed.ts';
import { usePutAside } from './use-put-aside.ts';

interface LiveFeedOptions {
  readonly onTrace: (row: TraceRow) => void;
  /** Traces may have been missed: fetch the list again. */
  readonly onGap: () => void;
  /** Closes the connection while true. */
  readonly paused?: boolean;
}

/** Follows new traces that match while the component is shown, and its page is not put aside. */
export function useLiveFeed(filters: TraceFilters, options: LiveFeedOptions): FeedState | 'paused' {
  const [state, setState] = useState<FeedState>('connecting');
  const { paused = false } = options;
  const aside = usePutAside();
  const missed = useRef(false);

  const onTrace = useEffectEvent(options.onTrace);
  const onGap = useEffectEvent(options.onGap);
  const onState = useEffectEvent((next: FeedState) => {
    setState(next);
    if (next !== 'live' || !missed.current) return;
    missed.current = false;
    onGap();
  });
  const open = useEffectEvent(() =>
    openLiveFeed(api, filters, {
      onTrace: (row) => onTrace(row),
      onGap: () => onGap(),
      onState: (next) => onState(next),
    }),
  );
  // Filters made anew at each draw are still the same filters.
  const wanted = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter means another feed
  useEffect(() => {
    if (aside) missed.current = true;
    return paused || aside ? undefined : open();
  }, [wanted, paused, aside]);
  return paused ? 'paused' : state;
}
