import type { TraceStore } from '../../platform/trace-store/index.ts';
import {
  type AssembledStep,
  assemble,
  findLinks,
  keyText,
  type SpanFacts,
  type SpanLink,
  type TraceKey,
} from '../spans/index.ts';
import { type EncodedTrace, withSteps } from './encode-trace.ts';

/** Spans of one distributed trace that came together. */
export interface SpanGroup {
  readonly key: TraceKey;
  readonly links: readonly SpanLink[];
  /** What matters of those that may be steps, by span id. */
  readonly facts: ReadonlyMap<string, SpanFacts>;
  /** Their rows in TabSeparated format. */
  readonly rows: Buffer;
}

/**
 * Traces that are about to be stored, with the steps that are known of them: of spans stored before and of those that come with them. `touched`
 * are the traces in which other requests' steps may change with these spans, those that have no request yet, and those that have steps among what
 * was stored before, whose attributes are not known here.
 */
export async function withKnownSteps(
  store: TraceStore,
  traces: readonly EncodedTrace[],
  groups: readonly SpanGroup[],
): Promise<{ readonly traces: readonly EncodedTrace[]; readonly touched: readonly TraceKey[] }> {
  if (groups.length === 0) return { traces, touched: [] };
  const keys = new Map<string, TraceKey>();
  for (const { projectId, span } of traces) {
    if (span === undefined) continue;
    const key = { projectId, traceId: span.traceId };
    keys.set(keyText(key), key);
  }
  const links = new Map<string, readonly SpanLink[]>(
    keys.size === 0 ? [] : await findLinks(store, [...keys.values()]),
  );
  const storedEntries = new Set([...links].flatMap(([name, stored]) => (stored.some(isEntry) ? [name] : [])));
  const touched = new Map<string, TraceKey>();
  const facts = new Map<string, ReadonlyMap<string, SpanFacts>[]>();
  for (const group of groups) {
    const name = keyText(group.key);
    if (!keys.has(name) || storedEntries.has(name)) touched.set(name, group.key);
    if (!keys.has(name)) continue;
    links.set(name, [...(links.get(name) ?? []), ...group.links]);
    facts.set(name, [...(facts.get(name) ?? []), group.facts]);
  }
  const steps = new Map([...links].map(([name, all]) => [name, assemble(all)]));
  const stepped = traces.map((trace) => {
    const { projectId, span } = trace;
    if (span === undefined) return trace;
    const key = { projectId, traceId: span.traceId };
    const name = keyText(key);
    const own = steps.get(name)?.get(span.spanId) ?? [];
    const known = factsOf(own, facts.get(name) ?? []);
    if (known.length < own.length) touched.set(name, key);
    return withSteps(trace, span, { count: own.length, known });
  });
  return { traces: stepped, touched: [...touched.values()] };
}

/** Of those steps of which they are there; of one that was sent twice, what came last. */
function factsOf(
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
