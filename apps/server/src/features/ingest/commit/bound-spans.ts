import type { TraceLimitName } from '@throughline/contract';
import { takeRows } from '../../../platform/trace-store/index.ts';
import { formatKey, type SpanLimits, type TraceKey } from '../../spans/index.ts';
import type { Batch, SpanGroup } from '../batch/batch.ts';
import { withSpansOverLimit } from '../batch/batch-answer.ts';

/**
 * Removes the spans that exceed the limits of their trace or project. Returns the batches without those spans, and the traces that have too
 * many spans.
 */
export function boundSpans(
  limits: Pick<SpanLimits, 'room' | 'admits'>,
  batches: readonly Batch[],
): { readonly batches: readonly Batch[]; readonly refused: readonly TraceKey[] } {
  const taken = new Map<string, number>();
  const opened = new Map<string, number>();
  const refused: TraceKey[] = [];

  /** Returns how many spans of a group fit, and which limit the remaining spans exceed. */
  const findRoom = ({ key, links }: SpanGroup): { fitting: number; limit: TraceLimitName } => {
    const name = formatKey(key);
    const before = taken.get(name);
    if (before === undefined) {
      const others = opened.get(key.projectId) ?? 0;
      if (!limits.admits(key, others)) return { fitting: 0, limit: 'openTraces' };
      opened.set(key.projectId, others + 1);
    }
    const fitting = Math.max(0, Math.min(links.length, limits.room(key) - (before ?? 0)));
    taken.set(name, (before ?? 0) + fitting);
    if (fitting < links.length) refused.push(key);
    return { fitting, limit: 'traceSpans' };
  };

  const boundBatch = (batch: Batch): Batch => {
    const over = new Map<TraceLimitName, number>();
    const gone = new Set<string>();
    const spans = batch.spans.flatMap((group) => {
      const { fitting, limit } = findRoom(group);
      const more = group.links.length - fitting;
      if (more === 0) return [group];
      over.set(limit, (over.get(limit) ?? 0) + more);
      for (const { spanId } of group.links.slice(fitting)) gone.add(`${group.key.traceId} ${spanId}`);
      return fitting === 0 ? [] : [takeFirst(group, fitting)];
    });
    if (over.size === 0) return batch;
    const traces = batch.traces.filter(
      ({ span }) => span === undefined || !gone.has(`${span.traceId} ${span.spanId}`),
    );
    let { answer } = batch;
    for (const [limit, count] of over) answer = withSpansOverLimit(answer, limit, count);
    return { ...batch, spans, traces, answer: { ...answer, accepted: traces.length } };
  };
  return { batches: batches.map(boundBatch), refused };
}

function takeFirst(group: SpanGroup, count: number): SpanGroup {
  const links = group.links.slice(0, count);
  const ids = new Set(links.map(({ spanId }) => spanId));
  const facts = new Map([...group.facts].filter(([spanId]) => ids.has(spanId)));
  return { ...group, links, facts, rows: takeRows(group.rows, count) };
}
