import type { IngestAnswer, TraceRow } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { insertSpans, type TraceKey } from '../spans/index.ts';
import type { EncodedTrace } from './encode-trace.ts';
import { type SpanGroup, withStepCounts } from './span-groups.ts';
import {
  type BatchKey,
  findAnswers,
  findStored,
  identityText,
  insertAnswers,
  insertTraces,
} from './store.ts';

/** One request's traces, ready to be stored, and what it is told once they are. */
export interface Batch {
  readonly key: BatchKey | undefined;
  readonly traces: readonly EncodedTrace[];
  /** Spans that were sent with them; a batch of our own format has none. */
  readonly spans: readonly SpanGroup[];
  readonly answer: IngestAnswer;
}

export interface CommitDeps {
  readonly store: TraceStore;
  readonly clock: Clock;
  /** Told of new traces once they are stored. */
  readonly published: (rows: readonly TraceRow[]) => void;
  /** Told of traces whose step counts may be wrong once their spans are stored. */
  readonly spansTouched: (keys: readonly TraceKey[]) => void;
}

/**
 * Stores a group of batches, each trace once: what the store has already, what stands twice in the group, and batches whose idempotency
 * key was answered before are left out. The answers stand in the batches' order.
 */
export async function commitBatches(deps: CommitDeps, batches: readonly Batch[]): Promise<IngestAnswer[]> {
  const { store, clock, published, spansTouched } = deps;
  const nowMicros = clock.nowMicros();
  const keys = batches.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const answered = new Map(await findAnswers(store, keys, nowMicros));
  const fresh: (BatchKey & { readonly answer: IngestAnswer })[] = [];
  const traces: EncodedTrace[] = [];
  const answers = batches.map(({ key, traces: own, answer }) => {
    const name = key === undefined ? undefined : `${key.projectId} ${key.key}`;
    const earlier = name === undefined ? undefined : answered.get(name);
    if (earlier !== undefined) return earlier;
    if (key !== undefined && name !== undefined) {
      answered.set(name, answer);
      fresh.push({ ...key, answer });
    }
    traces.push(...own);
    return answer;
  });
  const spans = batches.flatMap((batch) => batch.spans);
  const { traces: newTraces, touched } = await withStepCounts(
    store,
    await notYetStored(store, traces),
    spans,
  );
  // Like steps, spans go before the rows that make them count.
  await insertSpans(store, Buffer.concat(spans.map(({ rows }) => rows)));
  await insertTraces(store, newTraces);
  await insertAnswers(store, fresh, nowMicros);
  published(newTraces.map(({ listRow }) => listRow));
  spansTouched(touched);
  return answers;
}

async function notYetStored(store: TraceStore, traces: readonly EncodedTrace[]): Promise<EncodedTrace[]> {
  const seen = new Set(await findStored(store, traces));
  return traces.filter((trace) => {
    const name = identityText(trace);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}
