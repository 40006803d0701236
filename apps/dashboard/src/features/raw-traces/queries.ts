import { useQuery } from '@tanstack/react-query';
import { ApiError, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { traceOf } from './trace-of.ts';

/** A trace as the server's JSON text, byte by byte. Kept no longer than it is shown: it may be tens of megabytes. */
export function useRawTrace(id: string) {
  return useQuery({
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
