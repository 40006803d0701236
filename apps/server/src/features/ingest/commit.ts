import type { IngestAnswer, TraceRow } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { EncodedTrace } from './encode-trace.ts';
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
  readonly answer: IngestAnswer;
}

/**
 * Stores a group of batches, each trace once: what the store has already, what stands twice in the group, and batches whose idempotency
 * key was answered before are left out. The answers stand in the batches' order.
 */
export async function commitBatches(
  deps: {
    readonly store: TraceStore;
    readonly clock: Clock;
    readonly published: (rows: readonly TraceRow[]) => void;
  },
  batches: readonly Batch[],
): Promise<IngestAnswer[]> {
  const { store, clock, published } = deps;
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
  const newTraces = await notYetStored(store, traces);
  await insertTraces(store, newTraces);
  await insertAnswers(store, fresh, nowMicros);
  published(newTraces.map(({ listRow }) => listRow));
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
