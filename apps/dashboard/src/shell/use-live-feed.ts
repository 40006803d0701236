import type { TraceFilters, TraceRow } from '@throughline/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from './api.ts';
import { type FeedState, openLiveFeed } from './live-feed.ts';

interface LiveFeedOptions {
  readonly onTrace: (row: TraceRow) => void;
  /** Traces may have been missed: fetch the list again. */
  readonly onGap: () => void;
  /** Closes the connection while true. */
  readonly paused?: boolean;
}

/** Follows new traces that match while the component is shown. */
export function useLiveFeed(filters: TraceFilters, options: LiveFeedOptions): FeedState | 'paused' {
  const [state, setState] = useState<FeedState>('connecting');
  const onTrace = useEffectEvent(options.onTrace);
  const onGap = useEffectEvent(options.onGap);
  const { paused = false } = options;
  // Filters made anew at each draw are still the same filters.
  const wanted = JSON.stringify(filters);
  useEffect(() => {
    if (paused) return;
    // The text was made of these very filters just above.
    const parsed = JSON.parse(wanted) as TraceFilters;
    return openLiveFeed(api, parsed, {
      onTrace: (row) => onTrace(row),
      onGap: () => onGap(),
      onState: setState,
    });
  }, [wanted, paused]);
  return paused ? 'paused' : state;
}
