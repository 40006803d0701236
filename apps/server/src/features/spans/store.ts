import { z } from 'zod';
import { type ProjectId, readId } from '../../platform/ids.ts';
import { hashSql, type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
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
  ',"metadata":', concat(substring(metadata, 1, length(metadata) - 1), if(metadata = '{}', '', ','),
    '"otel.start_time_unix_nano":"', toString(start_nanos),
    '","otel.end_time_unix_nano":"', toString(start_nanos + duration_nanos),
    '","otel.resource":', toString(resource), '}'),
  ${withValues ? `if(captured = '', '', concat(',', substring(captured, 2, length(captured) - 2))),` : ''}
  '}')`;

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

<<<<<<< HEAD
=======
export interface CountedTrace extends TraceKey {
  /** Of its row in traces. */
  readonly id: string;
  readonly spanId: string;
  readonly stepCount: number;
  /** Whether the row has the attributes of all these steps. */
  readonly attributesWhole: boolean;
}

/** The requests of these traces, with what their rows say of their steps. */
export async function findCounts(store: TraceStore, keys: readonly TraceKey[]): Promise<CountedTrace[]> {
  const found: CountedTrace[] = [];
  for (let from = 0; from < keys.length; from += MAX_IDS) {
    const some = keys.slice(from, from + MAX_IDS);
    const rows = await store.rowsForWriter(
      z.object({
        project_id: z.string(),
        trace_id: z.string(),
        id: z.string(),
        span_id: z.string(),
        step_count: z.number(),
        attributes_whole: z.boolean(),
      }),
      `SELECT project_id, trace_id, id, span_id, step_count, attributes_whole FROM traces
       WHERE project_id IN (${literals(some.map(({ projectId }) => projectId))})
         AND has_spans AND trace_id IN (${literals(some.map(({ traceId }) => traceId))})`,
    );
    for (const row of rows) {
      const projectId = readId<ProjectId>(row.project_id);
      if (projectId === undefined) continue;
      found.push({
        projectId,
        traceId: row.trace_id,
        id: row.id,
        spanId: row.span_id,
        stepCount: row.step_count,
        attributesWhole: row.attributes_whole,
      });
    }
  }
  return found;
}

/** What attributes are searched by, as decimal digits of 64 bits: of their names, and of names with values. */
export interface SpanAttributes {
  readonly names: readonly string[];
  readonly pairs: readonly string[];
}

/** What the spans of these traces are searched by, by {@link keyText} and span id. Goes beside the inserts. */
export async function findAttributes(
  store: TraceStore,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, SpanAttributes>> {
  const found = new Map<string, SpanAttributes>();
  for (let from = 0; from < keys.length; from += MAX_IDS) {
    const some = keys.slice(from, from + MAX_IDS);
    const rows = await store.rowsForWriter(
      z.object({
        project_id: z.string(),
        trace_id: z.string(),
        span_id: z.string(),
        names: z.array(z.string()),
        pairs: z.array(z.string()),
      }),
      `SELECT project_id, trace_id, span_id, JSONExtractKeysAndValuesRaw(metadata) AS members,
         arrayMap(member -> toString(${hashSql('member.1')}), members) AS names,
         arrayMap(member -> toString(${hashSql("concat(member.1, ':', member.2)")}), members) AS pairs
       FROM spans
       WHERE project_id IN (${literals(some.map(({ projectId }) => projectId))})
         AND trace_id IN (${literals(some.map(({ traceId }) => traceId))})`,
    );
    for (const { project_id, trace_id, span_id, ...hashes } of rows) {
      found.set(`${project_id} ${trace_id} ${span_id}`, hashes);
    }
  }
  return found;
}

/** What a request's row is to say of its steps; undefined where that stays as it is. */
export interface RequestChange {
  readonly projectId: ProjectId;
  readonly id: string;
  readonly stepCount: number | undefined;
  /** What its steps are searched by: the row gets them beside what it has. */
  readonly attributes: SpanAttributes | undefined;
}

/** Characters of hashes in one statement: it may be 256 kB long. */
const MAX_HASH_CHARACTERS = 100_000;
/** With the comma behind it. */
const CHARACTERS_OF_HASH = 21;

/** Corrects in place what rows say of their requests' steps. */
export async function updateRequests(store: TraceStore, changes: readonly RequestChange[]): Promise<void> {
  let some: RequestChange[] = [];
  let room = MAX_HASH_CHARACTERS;
  // A row that two servers stored at the same moment may not have been folded yet.
  for (const change of new Map(changes.map((each) => [each.id, each])).values()) {
    const { names, pairs } = change.attributes ?? NO_ATTRIBUTES;
    const characters = (names.length + pairs.length) * CHARACTERS_OF_HASH;
    if (some.length === MAX_IDS || (some.length > 0 && characters > room)) {
      await updateSome(store, some);
      some = [];
      room = MAX_HASH_CHARACTERS;
    }
    some.push(change);
    room -= characters;
  }
  if (some.length > 0) await updateSome(store, some);
}

const NO_ATTRIBUTES: SpanAttributes = { names: [], pairs: [] };

async function updateSome(store: TraceStore, changes: readonly RequestChange[]): Promise<void> {
  const times = changes.map(({ id }) => timeOfTraceId(id));
  await store.command(
    `UPDATE traces SET ${[...countsSql(changes), ...attributesSql(changes)].join(', ')}
       WHERE project_id IN (${literals(changes.map(({ projectId }) => projectId))})
         AND id_time_ms BETWEEN ${Math.min(...times)} AND ${Math.max(...times)}
         AND id IN (${literals(changes.map(({ id }) => id))})`,
  );
}

function countsSql(changes: readonly RequestChange[]): string[] {
  const counted = changes.flatMap(({ id, stepCount }) =>
    stepCount === undefined ? [] : [{ id, stepCount }],
  );
  if (counted.length === 0) return [];
  const counts = counted.map(({ stepCount }) => Math.trunc(stepCount)).join(',');
  return [
    `step_count = transform(toString(id), [${literals(counted.map(({ id }) => id))}], [${counts}], step_count)`,
  ];
}

/** A row's own attributes are read from their text: those of traces from before stand nowhere else. */
function attributesSql(changes: readonly RequestChange[]): string[] {
  const noted = changes.flatMap(({ id, attributes }) =>
    attributes === undefined ? [] : [{ id, ...attributes }],
  );
  if (noted.length === 0) return [];
  const ids = literals(noted.map(({ id }) => id));
  const own = 'JSONExtractKeysAndValuesRaw(attributes)';
  const more = (column: string, lists: readonly (readonly string[])[], ofOwn: string) =>
    `${column} = if(toString(id) IN (${ids}), arrayDistinct(arrayConcat(${column}, arrayMap(member -> ${hashSql(ofOwn)}, ${own}),
       CAST([${lists.map((hashes) => `[${hashLiterals(hashes)}]`).join(',')}], 'Array(Array(UInt64))')[indexOf([${ids}], toString(id))])), ${column})`;
  return [
    more(
      'attribute_names',
      noted.map(({ names }) => names),
      'member.1',
    ),
    more(
      'attribute_pairs',
      noted.map(({ pairs }) => pairs),
      "concat(member.1, ':', member.2)",
    ),
    // Of its own there may be more than were noted.
    `attributes_whole = attributes_whole OR (toString(id) IN (${ids}) AND length(${own}) < ${MOST_ATTRIBUTES})`,
  ];
}

/** What has more different ones is searched in its texts. */
export const MOST_ATTRIBUTES = 1000;

function hashLiterals(hashes: readonly string[]): string {
  for (const hash of hashes) {
    if (!/^\d+$/.test(hash)) throw new Error(`${JSON.stringify(hash)} must not go into a statement`);
  }
  return hashes.join(',');
}

>>>>>>> 7518e3207c605a17dc1862c6b0f3939e63871cf8
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

/** Makes a span a request of its own: first its row in traces, so that what is cut off in between is done again. */
export async function promote(
  store: TraceStore,
  key: TraceKey,
  span: { readonly spanId: string; readonly id: string; readonly stepCount: number },
): Promise<void> {
  const params = { ...paramsOf(key), spanId: span.spanId };
  const { id, stepCount } = span;
  await store.command(
    `INSERT INTO traces (project_id, start_time, id, id_time_ms, trace_id, span_id, parent_span_id, method, path, status_code,
       duration_micros, is_error, has_error, error_message, service, step_count, attributes, has_spans, stored_at)
     SELECT project_id, fromUnixTimestamp64Micro(toInt64(intDiv(start_nanos, 1000))), {id:UUID}, {idTime:UInt64}, trace_id, span_id,
       parent_span_id, 'SPAN', name, status_code, intDiv(duration_nanos, 1000), has_error OR status_code = 0 OR status_code >= 400,
       has_error, JSONExtractString(error, 'message'), service, {stepCount:UInt32}, metadata, true, now64(6)
     FROM spans WHERE ${OF_TRACE} AND span_id = {spanId:String}
       AND (SELECT count() FROM traces WHERE project_id = {project:UUID} AND id_time_ms = {idTime:UInt64} AND id = {id:UUID}) = 0
     ORDER BY stored_at LIMIT 1`,
    { ...params, id, idTime: String(timeOfTraceId(id)), stepCount },
  );
  await store.command(
    `INSERT INTO spans SELECT * REPLACE (true AS entry, now64(6) AS stored_at) FROM spans
     WHERE ${OF_TRACE} AND span_id = {spanId:String} ORDER BY stored_at LIMIT 1`,
    params,
  );
}

export async function deleteSpans(
  store: TraceStore,
  key: TraceKey,
  spanIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < spanIds.length; from += MAX_IDS) {
    await store.command(
      `DELETE FROM spans WHERE ${OF_TRACE} AND span_id IN (${literals(spanIds.slice(from, from + MAX_IDS))})`,
      paramsOf(key),
    );
  }
}
