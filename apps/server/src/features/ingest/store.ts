import { IngestAnswer } from '@throughline/contract';
import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import {
  defineColumns,
  formatMicrosField,
  formatTextField,
  SOURCE_COLUMNS,
  STEP_COLUMNS,
  TRACE_COLUMNS,
  type TraceStore,
} from '../../platform/trace-store/index.ts';
import { buildRowEnd, type EncodedTrace } from './encode/encode-trace.ts';

/** A project's idempotency key, in the form of {@link hashOfBatchKey}. */
export interface BatchKey {
  readonly projectId: ProjectId;
  readonly key: string;
}

/** The lifetime of an idempotency key. */
const KEY_HOURS = 24;

/** Finds the responses to batches that were stored under these keys in the last 24 hours, by project and key. */
export async function findAnswers(
  store: TraceStore,
  keys: readonly BatchKey[],
  nowMicros: bigint,
): Promise<ReadonlyMap<string, IngestAnswer>> {
  if (keys.length === 0) return new Map();
  const since = nowMicros - BigInt(KEY_HOURS) * 3_600_000_000n;
  const rows = await store.rowsForWriter(
    z.object({ project_id: z.string(), key: z.string(), answer: z.string() }),
    `SELECT project_id, key, answer FROM ingest_batches
     WHERE project_id IN (${formatUuids(keys.map(({ projectId }) => projectId))}) AND key IN (${formatUuids(keys.map(({ key }) => key))})
       AND stored_at >= fromUnixTimestamp64Micro(toInt64(${since}))`,
  );
  return new Map(
    rows.map((row) => [`${row.project_id} ${row.key}`, IngestAnswer.parse(JSON.parse(row.answer))]),
  );
}

/** Maximum number of ids per statement, since a statement can be at most 256 kB long. */
const MAX_IDS = 2000;

/** Returns which of these traces are already stored, as results of {@link formatIdentity}. */
export async function findStored(
  store: TraceStore,
  traces: readonly EncodedTrace[],
): Promise<ReadonlySet<string>> {
  const ids = traces.filter(({ identity }) => identity.pair === undefined);
  const pairs = traces.flatMap(({ projectId, identity }) =>
    identity.pair === undefined ? [] : [{ projectId, ...identity.pair }],
  );
  const stored: string[] = [];
  for (const some of sliceIds(ids)) stored.push(...(await findIds(store, some)));
  for (const some of sliceIds(pairs)) stored.push(...(await findPairs(store, some)));
  return new Set(stored);
}

function sliceIds<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / MAX_IDS) }, (_slice, index) =>
    all.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
  );
}

async function findIds(store: TraceStore, traces: readonly EncodedTrace[]): Promise<string[]> {
  const times = traces.map(({ identity }) => identity.idTimeMs);
  const rows = await store.rowsForWriter(
    z.object({ project_id: z.string(), id: z.string() }),
    `SELECT project_id, id FROM traces
     WHERE project_id IN (${formatUuids(traces.map(({ projectId }) => projectId))})
       AND id_time_ms BETWEEN ${Math.min(...times)} AND ${Math.max(...times)}
       AND id IN (${formatUuids(traces.map(({ identity }) => identity.id))})`,
  );
  return rows.map((row) => `${row.project_id} ${row.id}`);
}

interface Pair {
  readonly projectId: ProjectId;
  readonly traceId: string;
  readonly spanId: string;
}

async function findPairs(store: TraceStore, pairs: readonly Pair[]): Promise<string[]> {
  const rows = await store.rowsForWriter(
    z.object({ project_id: z.string(), trace_id: z.string(), span_id: z.string() }),
    `SELECT project_id, trace_id, span_id FROM traces
     WHERE project_id IN (${formatUuids(pairs.map(({ projectId }) => projectId))})
       AND trace_id IN (${formatHexIds(pairs.map(({ traceId }) => traceId))})
       AND span_id IN (${formatHexIds(pairs.map(({ spanId }) => spanId))})`,
  );
  return rows.map((row) => `${row.project_id} ${row.trace_id} ${row.span_id}`);
}

/** Returns the string that identifies a trace if it is sent again. */
export function formatIdentity({ projectId, identity }: EncodedTrace): string {
  const { pair } = identity;
  return pair === undefined ? `${projectId} ${identity.id}` : `${projectId} ${pair.traceId} ${pair.spanId}`;
}

/**
 * Stores traces. Steps and sources are inserted first, because only the trace's row makes them visible: an interrupted insert leaves
 * invisible steps. A retry inserts the same steps again, and ClickHouse merges rows with the same sorting key.
 */
export async function insertTraces(
  store: TraceStore,
  traces: readonly EncodedTrace[],
  findReservationId: (trace: EncodedTrace) => string,
): Promise<void> {
  if (traces.length === 0) return;
  const steps = traces.flatMap(({ stepRows }) => stepRows);
  for (const slice of sliceBytes(steps, MAX_INSERT_BYTES, ({ length }) => length))
    await store.insert('steps', STEP_COLUMNS, slice);
  const sources = traces.flatMap(({ sourceRows }) => (sourceRows.length === 0 ? [] : [sourceRows]));
  for (const slice of sliceBytes(sources, MAX_INSERT_BYTES, ({ length }) => length))
    await store.insert('sources', SOURCE_COLUMNS.names, slice);
  const measure = ({ traceRow, searchFields }: EncodedTrace) => traceRow.length + searchFields.length;
  for (const slice of sliceBytes(traces, MAX_INSERT_BYTES, measure)) {
    const rows = slice.flatMap((trace) => [
      trace.traceRow,
      trace.searchFields,
      buildRowEnd(trace, findReservationId(trace)),
    ]);
    await store.insert('traces', TRACE_COLUMNS, rows);
  }
}

/**
 * Limits the size of an insert, because ClickHouse uses four times that size of memory. A large batch is stored in several inserts, and
 * some of these inserts can fail. Steps without their trace's row are then invisible. The sender receives an error and sends all traces
 * again; traces that were already stored are recognized.
 */
const MAX_INSERT_BYTES = 8 * 1024 * 1024;

/** Splits the pieces, in order, into slices of at most `maxBytes`. A larger piece becomes a slice of its own. */
function sliceBytes<Piece>(
  pieces: readonly Piece[],
  maxBytes: number,
  bytesOf: (piece: Piece) => number,
): Piece[][] {
  const slices: Piece[][] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const slice = slices.at(-1);
    const own = bytesOf(piece);
    if (slice === undefined || bytes + own > maxBytes) {
      slices.push([piece]);
      bytes = own;
    } else {
      slice.push(piece);
      bytes += own;
    }
  }
  return slices;
}

interface KeyedAnswer extends BatchKey {
  readonly answer: IngestAnswer;
}

const ANSWER_COLUMNS = defineColumns<KeyedAnswer & { readonly storedMicros: bigint }>()({
  project_id: ({ projectId }) => projectId,
  key: ({ key }) => key,
  answer: ({ answer }) => formatTextField(JSON.stringify(answer)),
  stored_at: ({ storedMicros }) => formatMicrosField(storedMicros),
});

export async function insertAnswers(
  store: TraceStore,
  answers: readonly KeyedAnswer[],
  storedMicros: bigint,
): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map((answer) => `${ANSWER_COLUMNS.write({ ...answer, storedMicros })}\n`);
  await store.insert('ingest_batches', ANSWER_COLUMNS.names, Buffer.from(rows.join('')));
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const HEX = /^[\da-f]+$/;

/** Formats ids as SQL literals. The ids were validated on arrival; this check guarantees that nothing else becomes part of a statement. */
function formatUuids(ids: readonly string[]): string {
  return formatLiterals(ids, UUID);
}

function formatHexIds(ids: readonly string[]): string {
  return formatLiterals(ids, HEX);
}

function formatLiterals(ids: readonly string[], form: RegExp): string {
  return [...new Set(ids)]
    .map((id) => {
      if (!form.test(id)) throw new Error(`${JSON.stringify(id)} must not go into a statement`);
      return `'${id}'`;
    })
    .join(',');
}
