import type { TraceStore } from '../../../platform/trace-store/index.ts';
import {
  type AssembledStep,
  assemble,
  findFewLinks,
  formatKey,
  type SpanFacts,
  type SpanLimits,
  type SpanLink,
  type TraceKey,
} from '../../spans/index.ts';
import type { SpanGroup } from '../batch/batch.ts';
import { type EncodedTrace, withSteps } from '../encode/encode-trace.ts';

/** Limits how many spans are read before a group is stored, in total and per trace. The steps of larger traces are corrected later. */
const READ_AT_INTAKE = { maxSpans: 20_000, maxOfTrace: 5000 } as const;

/**
 * Adds steps to traces that are about to be stored. The steps come from spans that were stored before and from spans of the same group.
 * `touched` contains the traces that must be corrected later. The reason is one of these: a stored request can get more steps, no request
 * of the trace is known yet, some stored spans were not read, or the attributes of some stored steps are not known here.
 */
export async function withKnownSteps(
  store: TraceStore,
  traces: readonly EncodedTrace[],
  groups: readonly SpanGroup[],
  limits: Pick<SpanLimits, 'sizeOf'>,
): Promise<{ readonly traces: readonly EncodedTrace[]; readonly touched: readonly TraceKey[] }> {
  if (groups.length === 0) return { traces, touched: [] };
  const keys = new Map<string, TraceKey>();
  for (const { projectId, span } of traces) {
    if (span === undefined) continue;
    const key = { projectId, traceId: span.traceId };
    keys.set(formatKey(key), key);
  }
  const few = [...keys.values()].filter((key) => limits.sizeOf(key) <= READ_AT_INTAKE.maxOfTrace);
  const { links: stored, whole } = await findFewLinks(store, few, READ_AT_INTAKE);
  const links = new Map<string, readonly SpanLink[]>(stored);
  const storedEntries = new Set([...links].flatMap(([name, found]) => (found.some(isEntry) ? [name] : [])));
  const touched = new Map<string, TraceKey>();
  const facts = new Map<string, ReadonlyMap<string, SpanFacts>[]>();
  for (const group of groups) {
    const name = formatKey(group.key);
    if (!whole.has(name) || storedEntries.has(name)) touched.set(name, group.key);
    if (!keys.has(name)) continue;
    links.set(name, [...(links.get(name) ?? []), ...group.links]);
    facts.set(name, [...(facts.get(name) ?? []), group.facts]);
  }
  const steps = new Map([...links].map(([name, all]) => [name, assemble(all)]));
  const stepped = traces.map((trace) => {
    const { projectId, span } = trace;
    if (span === undefined) return trace;
    const key = { projectId, traceId: span.traceId };
    const name = formatKey(key);
    const own = steps.get(name)?.get(span.spanId) ?? [];
    const known = findFacts(own, facts.get(name) ?? []);
    if (known.length < own.length) touched.set(name, key);
    return withSteps(trace, span, { count: own.length, known });
  });
  return { traces: stepped, touched: [...touched.values()] };
}

/** Returns the known search data of the steps. If a step was sent twice, its latest data is returned. */
function findFacts(
  steps: readonly AssembledStep[],
  bySpan: readonly ReadonlyMap<string, SpanFacts>[],
): SpanFacts[] {
  const found: SpanFacts[] = [];
  for (const { spanId } of steps) {
    const own = bySpan.findLast((facts) => facts.has(spanId))?.get(spanId);
    if (own !== undefined) found.push(own);
  }
  return found;
}

function isEntry({ entry }: SpanLink): boolean {
  return entry;
}
