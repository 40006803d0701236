import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { traceOf } from './trace-of.ts';

/** A trace as the server's JSON text, byte by byte. Kept no longer than it is shown: it may be tens of megabytes. */
function rawOptions(id: string) {
  return queryOptions({
    queryKey: ['trace', id, 'raw'],
    queryFn: async ({ signal }) => {
      const answer = await api.open(routes.traces.raw, { params: { id }, signal });
      return traceOf(await readWhole(answer, signal));
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

export function useRawTrace(id: string) {
  return useQuery(rawOptions(id));
}

/** Fetches a trace that is being opened, while what shows it is still being loaded. Never rejects. */
export function fetchAhead(client: QueryClient, id: string): Promise<void> {
  return client.prefetchQuery(rawOptions(id));
}

async function readWhole(answer: Response, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await answer.arrayBuffer());
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ApiError({
      status: 0,
      code: 'network_failure',
      message: 'The connection was cut before the whole trace was here.',
      cause,
    });
  }
}
