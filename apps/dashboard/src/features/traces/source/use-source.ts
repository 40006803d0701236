import { useQuery } from '@tanstack/react-query';
import { routes, type SourceFile } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { useHasSession } from '../data/trace-calls.ts';

/** Fetches the source text of one file's functions, or of all files'; undefined asks for nothing. Visitors of a public project have none. */
export function useSource(traceId: string, wanted: { readonly file: string } | 'all' | undefined) {
  const isSignedIn = useHasSession();
  const file = wanted === 'all' ? undefined : wanted?.file;
  return useQuery({
    queryKey: ['trace', traceId, 'source', file ?? null],
    queryFn: async ({ signal }): Promise<readonly SourceFile[]> =>
      (await api.call(routes.traces.source, { params: { id: traceId }, query: { file }, signal })).files,
    enabled: isSignedIn && wanted !== undefined,
    staleTime: 60_000,
  });
}
