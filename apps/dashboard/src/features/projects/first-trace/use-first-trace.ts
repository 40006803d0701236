import { useQuery } from '@tanstack/react-query';
import { routes, type TraceRow } from '@throughline/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '../../../shell/api.ts';
import { useLiveFeed } from '../../../shell/live/use-live-feed.ts';

/** Polling interval of the list in milliseconds. Polling backs up the live feed, since a proxy can buffer a stream. */
const POLL_MS = 5_000;

/** Returns a project's first trace as soon as it arrives. Follows the live feed and also polls the list. */
export function useFirstTrace(projectId: string, onReceived: ((row: TraceRow) => void) | undefined) {
  const [fed, setFed] = useState<TraceRow>();
  const list = useQuery({
    queryKey: ['first-trace', projectId],
    queryFn: ({ signal }) => api.call(routes.traces.list, { query: { projectId, limit: 1 }, signal }),
    select: (answer) => answer.traces[0],
    refetchInterval: (query) =>
      fed === undefined && query.state.data?.traces.length === 0 ? POLL_MS : false,
    gcTime: 0,
    retry: false,
  });
  const row = fed ?? list.data;
  useLiveFeed(
    { projectId },
    {
      onTrace: (trace) => setFed((before) => before ?? trace),
      onGap: () => void list.refetch(),
      paused: row !== undefined,
    },
  );

  const tell = useEffectEvent((received: TraceRow) => onReceived?.(received));
  useEffect(() => {
    if (row !== undefined) tell(row);
  }, [row]);
  return row;
}
