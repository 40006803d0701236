import type { TraceFilters, TraceRow } from '@throughline/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../api.ts';
import { type FeedState, openLiveFeed } from './live-feed.ts';
import { usePageHidden } from './use-page-hidden.ts';

interface LiveFeedOptions {
  readonly onTrace: (row: TraceRow) => void;
  /** Called if traces may have been missed, so that the list must be fetched again. */
  readonly onGap: () => void;
  /** Closes the connection while true. */
  readonly paused?: boolean;
}

/** Receives new matching traces while the component is mounted and the page is visible. */
export function useLiveFeed(filters: TraceFilters, options: LiveFeedOptions): FeedState | 'paused' {
  const [state, setState] = useState<FeedState>('connecting');
  const { paused = false } = options;
  const hidden = usePageHidden();
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
  // Compares the filters by their content, since each render creates a new object.
  const wanted = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter needs another feed
  useEffect(() => {
    if (hidden) missed.current = true;
    return paused || hidden ? undefined : open();
  }, [wanted, paused, hidden]);
  return paused ? 'paused' : state;
}
