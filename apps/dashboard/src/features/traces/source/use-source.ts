import { useQuery } from '@tanstack/react-query';
import { routes, type SourceFile, type Step } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { useHasSession } from '../data/trace-calls.ts';

/**
 * Fetches the source code of the functions of a file, or of all files. Fetches nothing if `wanted` is undefined. Viewers of a public
 * project get no source code.
 */
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

/** Fetches the source code of the file of a step. Fetches nothing if the step's position in the code is unknown. */
export function useStepSource(traceId: string, { filePath, lineNumber }: Step) {
  return useSource(traceId, filePath !== null && lineNumber !== null ? { file: filePath } : undefined);
}
