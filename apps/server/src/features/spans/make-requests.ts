import type { Stores } from '../../platform/stores.ts';
import { timeOfTraceId } from '../../platform/trace-store/index.ts';
import { type EndMutation, type ProjectHour, toHourFromMs } from '../rollups/index.ts';
import { assemble, findTopmostSpan, type SpanLink } from './assemble.ts';
import { findCounts } from './requests-store.ts';
import type { ReservedTraces } from './reserved-traces.ts';
import { MAX_PROMOTED, type PromotedSpan, promoteSpans } from './settling-store.ts';
import { deriveTraceId } from './span-identity.ts';
import { formatKey, type TraceKey } from './store.ts';

export interface MakeRequestsDeps {
  /** Runs a task that stores traces. While the task runs, no other server runs such a task for the same projects. */
  readonly alone: Stores['alone'];
  /** Called before requests are stored, with the hours of the requests. */
  readonly changing: (hours: readonly ProjectHour[]) => Promise<EndMutation>;
}

/** A trace without a request, and the trace's spans. */
export interface OpenTrace {
  readonly key: TraceKey;
  readonly links: readonly SpanLink[];
}

/**
 * Turns the topmost span of each trace into the trace's request. Returns the traces that got a request. A trace gets no request if the
 * month's quota is used up, or if another server has already made the request.
 */
export async function makeRequests(
  deps: MakeRequestsDeps,
  reserved: ReservedTraces,
  traces: readonly OpenTrace[],
): Promise<TraceKey[]> {
  const made: TraceKey[] = [];
  for (const [, own] of Map.groupBy(traces, ({ key }) => key.projectId)) {
    for (let from = 0; from < own.length; from += MAX_PROMOTED)
      made.push(...(await makeSome(deps, reserved, own.slice(from, from + MAX_PROMOTED))));
  }
  return made;
}

/** Makes requests for traces of the same project. */
function makeSome(
  deps: MakeRequestsDeps,
  reserved: ReservedTraces,
  traces: readonly OpenTrace[],
): Promise<TraceKey[]> {
  const [first] = traces;
  if (first === undefined) return Promise.resolve([]);
  const { projectId } = first.key;
  return deps.alone([projectId], async (store) => {
    const keys = traces.map(({ key }) => key);
    const others = new Set((await findCounts(store, keys)).map(formatKey));
    const open = new Map(
      traces.flatMap(({ key, links }) => {
        const name = formatKey(key);
        const span = others.has(name) ? undefined : findPromoted(key, links);
        return span === undefined ? [] : [[name, { key, span }]];
      }),
    );
    const made: TraceKey[] = [];
    for (const [reservation, names] of await reserved.reserve(projectId, [...open.keys()])) {
      const some = names.flatMap((name) => open.get(name) ?? []);
      const spans = some.map(({ span }) => span);
      const changed = await deps.changing(spans.map(({ id }) => findHour({ projectId, id })));
      await promoteSpans(store, projectId, spans, reservation).finally(changed);
      for (const name of names) reserved.end(name, true);
      made.push(...some.map(({ key }) => key));
    }
    return made;
  });
}

function findPromoted(key: TraceKey, links: readonly SpanLink[]): PromotedSpan | undefined {
  const top = links.find(({ entry }) => entry) ?? findTopmostSpan(links);
  if (top === undefined) return undefined;
  const { spanId } = top;
  const id = deriveTraceId(key, spanId, top.startNanos / 1_000_000n);
  const asRequests = links.map((link) => (link.spanId === spanId ? { ...link, entry: true } : link));
  const stepCount = assemble(asRequests).get(spanId)?.length ?? 0;
  return { traceId: key.traceId, spanId, id, stepCount };
}

/** Finds a request's hour. The id of a request made from a span contains the span's start. */
export function findHour({
  projectId,
  id,
}: Pick<TraceKey, 'projectId'> & { readonly id: string }): ProjectHour {
  return { projectId, hour: toHourFromMs(timeOfTraceId(id)) };
}
