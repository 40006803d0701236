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
  const { paused = false } = options;
  const onTrace = useEffectEvent(options.onTrace);
  const onGap = useEffectEvent(options.onGap);
  const open = useEffectEvent(() =>
    openLiveFeed(api, filters, {
      onTrace: (row) => onTrace(row),
      onGap: () => onGap(),
      onState: setState,
    }),
  );
  // Filters made anew at each draw are still the same filters.
  const wanted = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter means another feed
  useEffect(() => (paused ? undefined : open()), [wanted, paused]);
  return paused ? 'paused' : state;
}
