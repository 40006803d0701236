import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { unwrapTrace } from '../../visuals/json/unwrap-trace.ts';
import type { TextParts } from '../../visuals/json/use-json-lines.ts';

/** The time for which a fetched response stays in the cache until the dialog reads the response, in milliseconds. */
const KEPT_MS = 10_000;

/**
 * Query for a trace as the server's JSON. The response is a stream that can be read only once, because the JSON can be tens of megabytes.
 */
function buildRawOptions(id: string) {
  return queryOptions({
    queryKey: ['trace', id, 'raw'],
    queryFn: ({ signal }) => api.open(routes.traces.raw, { params: { id }, signal }),
    gcTime: KEPT_MS,
    // A response can be read only once. A response that was already read is therefore stale, so that opening the trace again sends a new
    // request.
    staleTime: ({ state }) => (state.data?.bodyUsed === true ? 0 : Number.POSITIVE_INFINITY),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });
}

export function useRawTrace(id: string) {
  return useQuery(buildRawOptions(id));
}

/** Starts fetching an opened trace while the dialog's code is still loading. Never rejects. */
export function fetchAhead(client: QueryClient, id: string): Promise<void> {
  return client.prefetchQuery(buildRawOptions(id));
}

/** Returns the JSON of a response as a stream, or undefined if the response was already read. */
export function getText(answer: Response): TextParts | undefined {
  const { body, bodyUsed } = answer;
  return body === null || bodyUsed ? undefined : (signal) => unwrapTrace(readParts(body, signal));
}

async function* readParts(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = body.getReader();
  // Cancels the reader, because a stream that is not read to its end would keep its connection open.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } catch (cause) {
    throw new ApiError({
      status: 0,
      code: 'network_failure',
      message: 'The connection was lost before the whole trace was loaded.',
      cause,
    });
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}
