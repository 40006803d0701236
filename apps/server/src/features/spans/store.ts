import { MAX_PART_BYTES } from '@throughline/contract';
import { z } from 'zod';
import { type ProjectId, readId } from '../../platform/ids.ts';
import { countRows, type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
import type { SpanLink } from './assemble.ts';
import { SPAN_COLUMNS } from './encode-span.ts';

export async function insertSpans(store: TraceStore, rows: readonly Buffer[]): Promise<void> {
  if (rows.length > 0) await store.insert('spans', SPAN_COLUMNS, rows);
}

/** A distributed trace as one project sees it. */
export interface TraceKey {
  readonly projectId: ProjectId;
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
}

const nanos = z.string().transform(BigInt);
const LINK_COLUMNS = 'span_id, parent_span_id, entry, service, toString(start_nanos) AS start_nanos';
const LinkRow = z.object({
  span_id: z.string(),
  parent_span_id: z.string(),
  entry: z.boolean(),
  service: z.string(),
  start_nanos: nanos,
});

function toLink(row: z.output<typeof LinkRow>): SpanLink {
  return {
    spanId: row.span_id,
    parentSpanId: row.parent_span_id,
    entry: row.entry,
    service: row.service,
    startNanos: row.start_nanos,
  };
}

/** Trace ids in one statement: it may be 256 kB long. */
export const MAX_IDS = 2000;

/** All spans stored of these traces, by {@link keyText}. Goes beside the inserts. */
export async function findLinks(
  store: TraceStore,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, readonly SpanLink[]>> {
  const links = new Map<string, SpanLink[]>();
  for (let from = 0; from < keys.length; from += MAX_IDS) {
    const some = keys.slice(from, from + MAX_IDS);
    const rows = await store.rowsForWriter(
      LinkRow.extend({ project_id: z.string(), trace_id: z.string() }),
      `SELECT project_id, trace_id, ${LINK_COLUMNS} FROM spans
       WHERE project_id IN (${literals(some.map(({ projectId }) => projectId))})
         AND trace_id IN (${literals(some.map(({ traceId }) => traceId))})`,
    );
    for (const row of rows) {
      const key = `${row.project_id} ${row.trace_id}`;
      const known = links.get(key);
      if (known === undefined) links.set(key, [toLink(row)]);
      else known.push(toLink(row));
    }
  }
  return links;
}

export function keyText({ projectId, traceId }: TraceKey): string {
  return `${projectId} ${traceId}`;
}

/** Ids as SQL literals; they were checked on the way in, and nothing else ever gets into a statement. */
export function literals(ids: readonly string[]): string {
  return [...new Set(ids)]
    .map((id) => {
      if (!/^[\da-f-]+$/.test(id)) throw new Error(`${JSON.stringify(id)} must not go into a statement`);
      return `'${id}'`;
    })
    .join(',');
}

const OF_TRACE = 'project_id = {project:UUID} AND trace_id = {traceId:String}';

function paramsOf({ projectId, traceId }: TraceKey) {
  return { project: projectId, traceId };
}

/** The spans of one trace, for a reader. */
export async function findLinksOf(store: TraceStore, key: TraceKey): Promise<SpanLink[]> {
  const rows = await store.rows(
    LinkRow,
    `SELECT ${LINK_COLUMNS} FROM spans WHERE ${OF_TRACE}`,
    paramsOf(key),
  );
  return rows.map(toLink);
}

/**
 * What a span is as a step, without the members that follow from its place, as JSON text that goes on after a comma. To the attributes are added
 * the times to the nanosecond, which the contract's instants do not hold.
 */
const stepJson = (withValues: boolean) => `concat(
  '"stepName":', toJSONString(toString(name)),
  ',"stepType":', toJSONString(toString(type)),
  ',"startTime":"', ${instantSql('intDiv(start_nanos, 1000)')},
  '","endTime":"', ${instantSql('intDiv(start_nanos + duration_nanos, 1000)')},
  '","duration":', toString(intDiv(duration_nanos, 1000) / 1000),
  ',"functionName":', if(function_name = '', 'null', toJSONString(toString(function_name))),
  ',"filePath":', if(file_path = '', 'null', toJSONString(toString(file_path))),
  ',"lineNumber":', ifNull(toString(line_number), 'null'),
  ',"error":', if(error = '', 'null', error),
  ',"metadata":', concat(${membersSql(withValues)},
    '"otel.start_time_unix_nano":"', toString(start_nanos),
    '","otel.end_time_unix_nano":"', toString(start_nanos + duration_nanos),
    '","otel.resource":', toString(resource), '}'),
  ${withValues ? `if(captured = '', '', concat(',', substring(captured, 2, length(captured) - 2))),` : ''}
  '}')`;

/** The opened object of attributes, with a comma where more members can follow. */
function membersSql(withValues: boolean): string {
  const members = `concat(substring(metadata, 1, length(metadata) - 1), if(metadata = '{}', '', ','))`;
  return withValues ? members : `if(length(metadata) > ${MAX_PART_BYTES}, '{', ${members})`;
}

function instantSql(micros: string): string {
  return `concat(replaceOne(toString(fromUnixTimestamp64Micro(toInt64(${micros}), 'UTC')), ' ', 'T'), 'Z')`;
}

/** Up to so many spans are asked for by their ids; of more, all of the trace's are read and sorted out here. */
const MAX_ASKED = 1000;
const SPAN_ID_LENGTH = 16;

/** What the given spans of a trace are as steps, by span id: see {@link stepJson}. */
export async function findStepTexts(
  store: TraceStore,
  key: TraceKey,
  spanIds: readonly string[],
  options: { readonly values: boolean },
): Promise<ReadonlyMap<string, string>> {
  const asked = spanIds.length <= MAX_ASKED;
  // A span that was sent twice may not have been folded yet: what was stored first counts.
  const lines = await store.lines(
    `SELECT concat(span_id, ${stepJson(options.values)}) FROM (
       SELECT * FROM spans WHERE ${OF_TRACE}${asked ? ' AND span_id IN {spanIds:Array(String)}' : ''}
       ORDER BY span_id, stored_at LIMIT 1 BY span_id)`,
    { ...paramsOf(key), ...(asked ? { spanIds } : {}) },
  );
  return new Map(lines.map((line) => [line.slice(0, SPAN_ID_LENGTH), line.slice(SPAN_ID_LENGTH)]));
}

/** Traces that spans were stored of within the last minutes before anything was stored last: their counts may not have been corrected. */
export async function findRecent(store: TraceStore, minutes: number, limit: number): Promise<TraceKey[]> {
  const rows = await store.rows(
    z.object({ project_id: z.string(), trace_id: z.string() }),
    `SELECT DISTINCT project_id, trace_id FROM spans
     WHERE /* housekeeping */ stored_at >= (SELECT max(stored_at) FROM spans) - toIntervalMinute({minutes:UInt32}) LIMIT {limit:UInt32}`,
    { minutes, limit },
  );
  return rows.flatMap((row) => {
    const projectId = readId<ProjectId>(row.project_id);
    return projectId === undefined ? [] : [{ projectId, traceId: row.trace_id }];
  });
}

/** A span as the request that it is made. */
export interface PromotedSpan {
  readonly spanId: string;
  readonly id: string;
  readonly stepCount: number;
  /** Under which it was counted against the month. */
  readonly claim: string;
}

/** Makes a span a request of its own. Its row in traces goes last: it is what makes the request count, so what is cut off before is done again. */
export async function promote(store: TraceStore, key: TraceKey, span: PromotedSpan): Promise<void> {
  const params = { ...paramsOf(key), spanId: span.spanId };
  const { id, stepCount, claim } = span;
  await store.command(
    `INSERT INTO spans SELECT * REPLACE (true AS entry, now64(6) AS stored_at) FROM spans
     WHERE ${OF_TRACE} AND span_id = {spanId:String} ORDER BY stored_at LIMIT 1`,
    params,
  );
  await store.command(
    `INSERT INTO traces (project_id, start_time, id, id_time_ms, trace_id, span_id, parent_span_id, method, path, status_code,
       duration_micros, is_error, has_error, error_message, service, step_count, attributes, has_spans, claim, stored_at)
     SELECT project_id, fromUnixTimestamp64Micro(toInt64(intDiv(start_nanos, 1000))), {id:UUID}, {idTime:UInt64}, trace_id, span_id,
       parent_span_id, 'SPAN', name, status_code, intDiv(duration_nanos, 1000), has_error OR status_code = 0 OR status_code >= 400,
       has_error, JSONExtractString(error, 'message'), service, {stepCount:UInt32}, metadata, true, {claim:UUID}, now64(6)
     FROM spans WHERE ${OF_TRACE} AND span_id = {spanId:String}
       AND (SELECT count() FROM traces WHERE project_id = {project:UUID} AND id_time_ms = {idTime:UInt64} AND id = {id:UUID}) = 0
     ORDER BY stored_at LIMIT 1`,
    { ...params, id, idTime: String(timeOfTraceId(id)), stepCount, claim },
  );
}

/** A span of a project. */
export interface SpanKey {
  readonly traceId: string;
  readonly spanId: string;
}

/** So many spans at a time as go into a statement, as pairs of ids. */
function* pairsOf(spans: readonly SpanKey[]): Generator<string> {
  for (let from = 0; from < spans.length; from += MAX_IDS) {
    const pairs = spans
      .slice(from, from + MAX_IDS)
      .map(({ traceId, spanId }) => `(${literals([traceId])},${literals([spanId])})`);
    yield pairs.join(',');
  }
}

export async function deleteSpans(
  store: TraceStore,
  project: ProjectId,
  spans: readonly SpanKey[],
): Promise<void> {
  for (const pairs of pairsOf(spans)) {
    await store.command(
      `DELETE FROM spans WHERE project_id = {project:UUID} AND (trace_id, span_id) IN (${pairs})`,
      { project },
    );
  }
}

/** How many rows are stored of these spans. */
export async function countSpans(
  store: TraceStore,
  project: ProjectId,
  spans: readonly SpanKey[],
): Promise<number> {
  let total = 0;
  for (const pairs of pairsOf(spans)) {
    total += await countRows(
      store,
      `SELECT count() AS rows FROM spans WHERE project_id = {project:UUID} AND (trace_id, span_id) IN (${pairs})`,
      { project },
    );
  }
  return total;
}
