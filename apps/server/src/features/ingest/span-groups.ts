import type { TraceStore } from '../../platform/trace-store/index.ts';
import { assemble, findLinks, keyText, type SpanLink, type TraceKey } from '../spans/index.ts';
import type { EncodedTrace } from './encode-trace.ts';

/** Spans of one distributed trace that came together. */
export interface SpanGroup {
  readonly key: TraceKey;
  readonly links: readonly SpanLink[];
  /** Their rows in TabSeparated format. */
  readonly rows: Buffer;
}

/**
 * Traces that are about to be stored, with the steps that are known of them: of spans stored before and of those that come with them. `touched`
 * are the traces in which other requests' counts may change with these spans, or that have no request yet.
 */
export async function withStepCounts(
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
  for (const group of groups) {
    const name = keyText(group.key);
    if (!keys.has(name) || storedEntries.has(name)) touched.set(name, group.key);
    if (keys.has(name)) links.set(name, [...(links.get(name) ?? []), ...group.links]);
  }
  const steps = new Map([...links].map(([name, all]) => [name, assemble(all)]));
  const counted = traces.map((trace) => {
    const { projectId, span, listRow } = trace;
    if (span === undefined) return trace;
    const own = steps.get(keyText({ projectId, traceId: span.traceId }))?.get(span.spanId);
    return { ...trace, listRow: { ...listRow, stepCount: own?.length ?? 0 } };
  });
  return { traces: counted, touched: [...touched.values()] };
}

function isEntry({ entry }: SpanLink): boolean {
  return entry;
}
