import type { IngestAnswer } from '@throughline/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Stores } from '../../../platform/stores.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { type EndMutation, listRequestHours, type ProjectHour } from '../../rollups/index.ts';
import { insertSpans, type SpanLimits, type TraceKey } from '../../spans/index.ts';
import type { UsageFeature } from '../../usage/index.ts';
import type { Batch, BatchTrace, SpanGroup } from '../batch/batch.ts';
import type { BatchAnswer } from '../batch/batch-answer.ts';
import type { EncodedTrace } from '../encode/encode-trace.ts';
import { type NewListRow, readListRow } from '../encode/list-row.ts';
import { findAnswers, findStored, formatIdentity, insertAnswers, insertTraces } from '../store.ts';
import { withKnownSteps } from './add-known-steps.ts';
import { boundSpans } from './bound-spans.ts';
import { fitQuota, isAllOverQuota, type NewTrace, withoutRefused } from './fit-quota.ts';

export interface CommitDeps {
  /** Runs work that stores traces of the given projects, while no other server stores traces of these projects. */
  readonly alone: Stores['alone'];
  readonly clock: Clock;
  readonly usage: Pick<UsageFeature, 'reserve' | 'commit' | 'release' | 'exceeded'>;
  /**
   * Receives new traces once they are stored. The function must read the rows before it returns, because the rows' memory is freed then.
   */
  readonly published: (traces: readonly NewListRow[]) => void;
  /** Receives the number of stored spans, including spans that had been stored before. */
  readonly spansStored: (count: number) => void;
  /** Called before traces are stored, with the hours that the traces change. */
  readonly changing: (hours: readonly ProjectHour[]) => Promise<EndMutation>;
  /** Called after spans were stored, with the traces to check: requests of these traces can have more steps than their stored rows show. */
  readonly spansTouched: (keys: readonly TraceKey[]) => void;
  readonly spanLimits: SpanLimits;
}

/**
 * Stores a group of batches, each trace once. Skips traces that are already stored or repeated in the group, batches whose idempotency key
 * already has a response, and traces that exceed the month's quota. Returns responses in the order of the batches.
 * Holds the projects' locks, so that another server with the same batch never finds the batch half stored.
 */
export function commitBatches(deps: CommitDeps, batches: readonly Batch[]): Promise<BatchAnswer[]> {
  const projects = batches.map(({ project }) => project.projectId);
  return deps.alone(projects, (store) => storeBatches(deps, store, batches));
}

async function storeBatches(
  deps: CommitDeps,
  store: TraceStore,
  sent: readonly Batch[],
): Promise<BatchAnswer[]> {
  const { usage, published, spansTouched, spanLimits } = deps;
  const arriving = sent.flatMap(({ spans }) => spans.map(({ key, links }) => ({ key, spans: links.length })));
  await spanLimits.count(store, arriving);
  const { batches, refused: over } = boundSpans(spanLimits, sent);
  const nowMicros = deps.clock.nowMicros();
  const { answered, repeats } = await findRepeats(store, batches, nowMicros);
  const fresh = batches.filter((batch) => !answered.has(batch) && !repeats.has(batch));
  const { fitting, granted, refused } = await fitQuota(usage, await findNotYetStored(store, fresh));
  const reservations = [...granted.values()].map(({ id }) => id);
  const answers = new Map(
    fresh.map((batch) => [batch, withoutRefused(batch, refused.get(batch) ?? [], usage)]),
  );
  try {
    const spans = fresh.flatMap((batch) => removeSpans(batch, refused.get(batch) ?? []));
    const projects = new Map(fitting.map(({ batch: { project } }) => [project.projectId, project]));
    const findReservationId = ({ projectId }: EncodedTrace): string => {
      const account = projects.get(projectId)?.accountId;
      const reservation = account === undefined ? undefined : granted.get(account);
      if (reservation === undefined)
        throw new Error('no quota was reserved for a trace, so the batch was not stored');
      return reservation.id;
    };
    const { traces, touched } = await withKnownSteps(
      store,
      fitting.map(({ trace }) => trace),
      spans,
      spanLimits,
    );
    // Spans and steps are inserted before the trace rows, because spans and steps are invisible until the row of their trace exists.
    await insertSpans(
      store,
      spans.map(({ rows }) => rows),
    );
    for (const { key, links } of spans) spanLimits.added(key, links.length);
    const stored = await deps.changing(traces.flatMap(listHours));
    await insertTraces(store, traces, findReservationId).finally(stored);
    usage.commit(reservations);
    deps.spansStored(spans.reduce((sum, { links }) => sum + links.length, 0));
    await insertAnswers(store, listKeyedAnswers(answers), nowMicros);
    published(traces.map((trace) => ({ projectId: trace.projectId, read: () => readListRow(trace) })));
    // Recounts the steps of traces that reached the span limit, because some of their stored spans can have been deleted.
    spansTouched([...touched, ...over]);
  } catch (error) {
    usage.release(reservations);
    throw error;
  }
  return batches.map((batch) => {
    const first = repeats.get(batch) ?? batch;
    return answers.get(first) ?? answered.get(first) ?? first.answer;
  });
}

function listHours({ projectId, startMs, durationMs }: EncodedTrace): ProjectHour[] {
  return listRequestHours(projectId, startMs, durationMs);
}

/**
 * Finds batches whose key already has a response, and batches that repeat an earlier batch of the group. Returns the stored response or the
 * earlier batch for each of these batches.
 */
async function findRepeats(
  store: TraceStore,
  batches: readonly Batch[],
  nowMicros: bigint,
): Promise<{
  readonly answered: ReadonlyMap<Batch, IngestAnswer>;
  readonly repeats: ReadonlyMap<Batch, Batch>;
}> {
  const keys = batches.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const stored = await findAnswers(store, keys, nowMicros);
  const firsts = new Map<string, Batch>();
  const answered = new Map<Batch, IngestAnswer>();
  const repeats = new Map<Batch, Batch>();
  for (const batch of batches) {
    if (batch.key === undefined) continue;
    const name = `${batch.key.projectId} ${batch.key.key}`;
    const answer = stored.get(name);
    const first = firsts.get(name);
    if (answer !== undefined) answered.set(batch, answer);
    else if (first !== undefined) repeats.set(batch, first);
    else firsts.set(name, batch);
  }
  return { answered, repeats };
}

/**
 * Returns the responses to store by idempotency key. Skips batches of which no trace was accepted because of the month's quota, so that
 * they can be sent again under the same key.
 */
function listKeyedAnswers(answers: ReadonlyMap<Batch, BatchAnswer>) {
  return [...answers].flatMap(([{ key }, answer]) =>
    key === undefined || isAllOverQuota(answer) ? [] : [{ ...key, answer }],
  );
}

async function findNotYetStored(store: TraceStore, batches: readonly Batch[]): Promise<NewTrace[]> {
  const all = batches.flatMap((batch) => batch.traces.map((trace): NewTrace => ({ batch, trace })));
  const stored = await findStored(
    store,
    all.map(({ trace }) => trace),
  );
  const seen = new Set(stored);
  return all.filter(({ trace }) => {
    const name = formatIdentity(trace);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Returns a batch's spans except those of refused requests. Returns none if all of the batch's requests were refused. */
function removeSpans({ spans, answer }: Batch, refused: readonly BatchTrace[]): readonly SpanGroup[] {
  if (refused.length === 0) return spans;
  if (refused.length === answer.accepted) return [];
  const gone = new Set(refused.map(({ span }) => span?.traceId));
  return spans.filter(({ key }) => !gone.has(key.traceId));
}
