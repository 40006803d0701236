import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import type { TextParts } from '../../visuals/json/use-json-lines.ts';
import { unwrapTrace } from './unwrap-trace.ts';

/** A raw trace's answer waits so long for the dialog that reads it. Milliseconds. */
const KEPT_MS = 10_000;

/** A trace as the server's JSON text, which is read as it comes, once: it may be tens of megabytes. */
function rawOptions(id: string) {
  return queryOptions({
    queryKey: ['trace', id, 'raw'],
    queryFn: ({ signal }) => api.open(routes.traces.raw, { params: { id }, signal }),
    gcTime: KEPT_MS,
    // Who opens it again asks again.
    staleTime: ({ state }) => (state.data?.bodyUsed === true ? 0 : Number.POSITIVE_INFINITY),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });
}

export function useRawTrace(id: string) {
  return useQuery(rawOptions(id));
}

/** Asks for a trace that is being opened, while what shows it is still being loaded. Never rejects. */
export function fetchAhead(client: QueryClient, id: string): Promise<void> {
  return client.prefetchQuery(rawOptions(id));
}

/** The text of an answer; undefined once it was read. */
export function getText(answer: Response): TextParts | undefined {
  const { body, bodyUsed } = answer;
  return body === null || bodyUsed ? undefined : (signal) => unwrapTrace(readParts(body, signal));
}

async function* readParts(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = body.getReader();
  // A reader that is not read to its end would keep the connection.
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
