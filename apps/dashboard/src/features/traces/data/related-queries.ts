import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { type RelatedTrace, routes, type Step, type Trace } from '@throughline/contract';
import { useMemo } from 'react';
import { api } from '../../../shell/api.ts';
import { readTrace } from '../load/read-trace.ts';
import type { LoadedTrace } from './queries.ts';
import { getTraceCalls, useSharedToken } from './trace-calls.ts';

/** Steps are fetched for at most this many requests of other services; further requests are shown without their steps. */
const MAX_WITH_STEPS = 20;
/**
 * A trace with at most this many steps is fetched with all values. That is not too much data: by default, the SDK records at most 2,000
 * steps and 1 MiB of values per request.
 */
export const MAX_WITH_VALUES = 2000;

/** Returns the other requests of a distributed trace in start order. */
export function useRelated(trace: Trace) {
  const isShared = useSharedToken() !== undefined;
  return useQuery({
    queryKey: ['trace', trace._id, 'related'],
    queryFn: async ({ signal }) => {
      const params = { traceId: trace.traceId };
      const { traces } = await api.call(routes.traces.byTraceId, { params, signal });
      return traces.filter(({ _id }) => _id !== trace._id);
    },
    // A shared link shows only one request of a distributed trace.
    enabled: trace.traceId !== '' && !isShared,
    staleTime: 30_000,
  });
}

/** Returns the steps of the other requests of a distributed trace, for the requests that are loaded. */
export function useRelatedSteps(related: readonly RelatedTrace[]): ReadonlyMap<string, readonly Step[]> {
  return useQueries({
    queries: related.slice(0, MAX_WITH_STEPS).map(({ _id }) =>
      queryOptions({
        queryKey: ['trace', _id, 'steps'],
        queryFn: async ({ signal }) => {
          const { trace } = await api.call(routes.traces.read, {
            params: { id: _id },
            query: { values: 'false' },
            signal,
          });
          return { id: _id, flow: trace.flow };
        },
        staleTime: 30_000,
      }),
    ),
    combine: collect,
  });
}

function collect(
  results: readonly { readonly data: { readonly id: string; readonly flow: readonly Step[] } | undefined }[],
): ReadonlyMap<string, readonly Step[]> {
  return new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.flow] as const])));
}

/**
 * Returns every step of a trace with its values, by `stepId`: immediately if `whole`, otherwise once the values are `wanted` and loaded.
 * The map stays undefined if the values are missing and the trace has more than `MAX_WITH_VALUES` steps.
 */
export function useAllValues({ trace, whole }: LoadedTrace, wanted: boolean) {
  const query = useQuery({
    queryKey: ['trace', trace._id, 'whole'],
    queryFn: async ({ signal, meta }) => {
      const answer = await getTraceCalls(meta).read(trace._id, { values: 'true' }, signal);
      return (await readTrace(answer, signal)).flow;
    },
    enabled: wanted && !whole && trace.flow.length <= MAX_WITH_VALUES,
    staleTime: 30_000,
  });
  const flow = whole ? trace.flow : query.data;
  const values: ReadonlyMap<string, Step> | undefined = useMemo(
    () => (flow === undefined ? undefined : new Map(flow.map((step) => [step.stepId, step]))),
    [flow],
  );
  return { query, values };
}
