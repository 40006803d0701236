import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type EndpointDurations,
  isErrorTrace,
  listReferredSteps,
  routes,
  type Step,
  type Trace,
  type TracePart,
  withReferred,
} from '@throughline/contract';
import { escapeControlCharactersInLines } from '@throughline/contract/captured';
import { api, session } from '../../../shell/api.ts';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { runWithPauses } from '../../../visuals/work/work.ts';
import { prepareWork } from '../load/prepared-trace.ts';
import { readTrace } from '../load/read-trace.ts';
import { type Cause, findCause } from '../opening/cause.ts';
import { getTraceCalls, type TraceCalls, useHasSession } from './trace-calls.ts';

/**
 * A trace with at most this many steps is fetched with all values. For any other trace, the values of a step are fetched when the step is
 * opened.
 */
const WHOLE_UP_TO_STEPS = 40;
/** For a trace with more steps, the tree of steps is computed before the trace is shown. */
const PREPARED_FROM_STEPS = 2000;

/** A trace, and whether its steps include their values. */
export interface LoadedTrace {
  readonly trace: Trace;
  readonly whole: boolean;
  /** The durations of other requests to the same endpoint; undefined if unknown. */
  readonly usual: EndpointDurations | undefined;
  /**
   * The step on which the trace opens, as the server determined it. Undefined if the server names no step or does not respond in time.
   * Also undefined for viewers without a session, and on the page of a shared link.
   */
  readonly cause: Cause | undefined;
}

/** `stepCount` is the number of steps, if known before the trace is loaded. */
function traceOptions(id: string, stepCount: number | undefined, client: QueryClient) {
  return queryOptions({
    queryKey: ['trace', id],
    queryFn: async ({ signal, meta }): Promise<LoadedTrace> => {
      const calls = getTraceCalls(meta);
      const usual = readUsual(client, id);
      const hasCause = meta?.sharedToken === undefined && session.token() !== null;
      // In a large trace, the server needs time to find the step that caused an error or slowness. This step is therefore requested only
      // after the trace has arrived, so that the trace is not delayed.
      const early = hasCause && (stepCount ?? 0) <= PREPARED_FROM_STEPS ? readCause(client, id) : undefined;
      const { trace, whole } = await readWithValues(calls, id, stepCount, signal);
      if (trace.flow.length > PREPARED_FROM_STEPS) await runWithPauses(prepareWork(trace), signal);
      const [usually, cause] = await Promise.all([
        Promise.race([usual, waitFor(OPENING_WAIT_MS)]),
        hasCause
          ? Promise.race([
              early ?? readCause(client, id),
              waitFor(isFailed(trace) ? OPENING_WAIT_MS : CAUSE_WAIT_MS),
            ])
          : undefined,
      ]);
      return { trace, whole, usual: usually, cause };
    },
    // Structural sharing would replace a changed trace by a merged copy. The results of `prepareWork`, which are cached for the original
    // object, would then be lost. Comparing 100,000 steps also takes longer than drawing them.
    structuralSharing: false,
    staleTime: 30_000,
  });
}

/** Fetches a trace. If the trace has few steps, the steps include their values. */
async function readWithValues(
  calls: TraceCalls,
  id: string,
  stepCount: number | undefined,
  signal: AbortSignal,
): Promise<Pick<LoadedTrace, 'trace' | 'whole'>> {
  const read = async (values: 'true' | 'false') =>
    readTrace(await calls.read(id, { values, parts: 'small' }, signal), signal);
  const readWhole = async () => ({ trace: resolveReferences(await read('true')), whole: true });
  if (stepCount !== undefined && stepCount <= WHOLE_UP_TO_STEPS) return readWhole();
  const trace = await read('false');
  // On a page that was opened by a link or reloaded, `stepCount` is unknown. A small trace is then fetched again, with its values.
  if (stepCount !== undefined || trace.flow.length > WHOLE_UP_TO_STEPS) return { trace, whole: false };
  return readWhole().catch(() => ({ trace, whole: false }));
}

/**
 * The step on which a trace opens depends on the usual duration of its endpoint, and on the step that the server names as the cause. A
 * loaded trace waits at most this long for the usual duration; a failed trace also waits at most this long for the cause. Milliseconds.
 */
const OPENING_WAIT_MS = 400;
/** The server seldom names a cause for a successful trace, so such a trace waits for the cause at most this long. Milliseconds. */
const CAUSE_WAIT_MS = 150;

function waitFor(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

/**
 * Options of the TanStack query that fetches the durations of other requests to a trace's endpoint. The result is null if there are no such
 * requests.
 */
function buildUsualOptions(id: string) {
  return queryOptions({
    queryKey: ['trace', id, 'usual'],
    queryFn: ({ signal, meta }) => getTraceCalls(meta).usual(id, signal),
    staleTime: 30_000,
  });
}

/** Returns the durations of other requests to a trace's endpoint; undefined if they are unknown. */
export function useUsual(id: string): EndpointDurations | 'loading' | undefined {
  const { data, isPending } = useQuery(buildUsualOptions(id));
  return isPending ? 'loading' : (data ?? undefined);
}

/** Never rejects, since a trace can be shown without its usual duration. */
async function readUsual(client: QueryClient, id: string): Promise<EndpointDurations | undefined> {
  return client.fetchQuery(buildUsualOptions(id)).then(
    (usual) => usual ?? undefined,
    () => undefined,
  );
}

/** Never rejects. Viewers of a public project get no statements and no cause. */
async function readCause(client: QueryClient, id: string): Promise<Cause | undefined> {
  return client.fetchQuery(buildStandOutOptions(id)).then(findCause, () => undefined);
}

function isFailed({ response, error }: Trace): boolean {
  return isErrorTrace(response.statusCode, error.hasError);
}

export function useTrace(id: string, stepCount: number | undefined) {
  return useQuery(traceOptions(id, stepCount, useQueryClient()));
}

/** Fetches a trace that will probably be opened next. Never rejects. */
export function prefetchTrace(client: QueryClient, id: string, stepCount: number): Promise<void> {
  return client.prefetchQuery(traceOptions(id, stepCount, client));
}

/** Options of the TanStack query that fetches a captured part of a trace (such as a body) that was too large to be sent with the trace. */
export function buildPartOptions(id: string, part: TracePart) {
  return queryOptions({
    queryKey: ['trace', id, 'part', part],
    queryFn: ({ signal, meta }) => getTraceCalls(meta).part(id, part, signal),
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Returns a step with its values: from the trace if `whole`, otherwise fetched once the step has been selected for a moment (`settled`).
 */
export function useStepValues({ trace, whole }: LoadedTrace, step: Step, settled: boolean) {
  return useQuery({
    ...stepOptions(trace._id, step.stepId),
    enabled: !whole && settled,
    ...(whole ? { initialData: step } : {}),
  });
}

/** Options of the TanStack query that fetches one step with its values. */
export function stepOptions(traceId: string, stepId: string) {
  return queryOptions({
    queryKey: ['trace', traceId, 'step', stepId],
    queryFn: ({ signal, meta }) => readStep(getTraceCalls(meta), traceId, stepId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Options of the TanStack query that fetches the sentences about what is unusual in a trace, and the step that the trace opens on. */
export function buildStandOutOptions(traceId: string) {
  return queryOptions({
    queryKey: ['trace', traceId, 'stands-out'],
    queryFn: ({ signal }) => api.call(routes.traces.standsOut, { params: { id: traceId }, signal }),
    staleTime: 30_000,
  });
}

/** If the URL requests a comparison, fetches the comparison at the same time as the trace, not after it. */
export function useEarlyComparison(traceId: string): void {
  const { compare } = useViewParams();
  const hasSession = useHasSession();
  useQuery({
    ...buildComparisonOptions(traceId, compare ?? ''),
    enabled: hasSession && isComparison(compare),
    notifyOnChangeProps: [],
  });
}

/** True if the URL compares two traces, not a period with the previous period. */
export function isComparison(compare: string | undefined): compare is string {
  return compare !== undefined && compare !== 'previous';
}

/** Options of the TanStack query that compares a trace. `other` is another trace's `_id`, `good` or `before`. */
export function buildComparisonOptions(traceId: string, other: string) {
  return queryOptions({
    queryKey: ['trace', traceId, 'comparison', other],
    queryFn: async ({ signal }) =>
      (await api.call(routes.traces.compare, { params: { id: traceId }, query: { with: other }, signal }))
        .comparison,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the trace with its steps' references replaced by the referenced values. */
function resolveReferences(trace: Trace): Trace {
  const byId = new Map(trace.flow.map((step) => [step.stepId, step]));
  return { ...trace, flow: trace.flow.map((step) => withReferred(step, (id) => byId.get(id))) };
}

/** The maximum number of steps whose values are fetched to show one step. */
const MAX_REFERRED_STEPS = 50;

/** Fetches a step with its values, including the referenced values that other steps contain. */
async function readStep(calls: TraceCalls, id: string, stepId: string, signal: AbortSignal): Promise<Step> {
  const read = (wanted: string) => calls.step(id, wanted, signal);
  const step = await read(stepId);
  const known = new Map([[stepId, step]]);
  for (let newest: readonly Step[] = [step]; newest.length > 0; ) {
    const wanted = new Set(
      newest.flatMap((one) => [...listReferredSteps(one)]).filter((other) => !known.has(other)),
    );
    const room = MAX_REFERRED_STEPS - known.size;
    // If a referenced step cannot be fetched, the references to that step stay unresolved.
    const answers = await Promise.allSettled([...wanted].slice(0, room).map(read));
    newest = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    for (const one of newest) known.set(one.stepId, one);
  }
  return withReferred(step, (other) => known.get(other));
}

/** Returns the whole trace as indented JSON. Rejects if the trace cannot be fetched. */
export async function traceJson(client: QueryClient, id: string): Promise<string> {
  const signal = new AbortController().signal;
  const answer = await getTraceCalls(client.getDefaultOptions().queries?.meta).raw(id, signal);
  return escapeControlCharactersInLines(JSON.stringify(await readTrace(answer, signal), null, 2));
}
