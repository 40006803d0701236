import { MAX_PART_BYTES, TRACE_LIMITS } from '@throughline/contract';
import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import {
  countRows,
  SPAN_COLUMNS,
  STEP_CAPTURED_SQL,
  STEP_ERROR_SQL,
  stepMembersSql,
  type TraceStore,
} from '../../platform/trace-store/index.ts';
import type { SpanLink } from './assemble.ts';

export async function insertSpans(store: TraceStore, rows: readonly Buffer[]): Promise<void> {
  if (rows.length > 0) await store.insert('spans', SPAN_COLUMNS, rows);
}

/** A distributed trace within one project. */
export interface TraceKey {
  readonly projectId: ProjectId;
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
}

/** SQL for a span's link as one string, because parsing JSON with several columns takes three times as long. */
const LINK_SQL = `concat(span_id, ' ', parent_span_id, ' ', toString(toUInt8(entry)), ' ', toString(start_nanos), ' ', toString(service))`;

function readLink(text: string): SpanLink {
  const [spanId = '', parentSpanId = '', entry = '', nanos = ''] = text.split(' ', 4);
  const service = text.slice(spanId.length + parentSpanId.length + entry.length + nanos.length + 4);
  return { spanId, parentSpanId, entry: entry === '1', service, startNanos: BigInt(nanos) };
}

const LinkRow = z.object({ project_id: z.string(), trace_id: z.string(), link: z.string() });

/** Maximum number of trace ids per statement: a statement can have 256 kB. */
export const MAX_IDS = 2000;

export function matchTraces(keys: readonly TraceKey[]): string {
  return `project_id IN (${formatLiterals(keys.map(({ projectId }) => projectId))})
         AND trace_id IN (${formatLiterals(keys.map(({ traceId }) => traceId))})`;
}

/** Finds all stored spans of these traces, by {@link formatKey}. */
export async function findLinks(
  store: Pick<TraceStore, 'rowsForWriter'>,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, readonly SpanLink[]>> {
  const links = new Map<string, SpanLink[]>();
  for (let from = 0; from < keys.length; from += MAX_IDS)
    await readLinks(store, keys.slice(from, from + MAX_IDS), '', links);
  return links;
}

/**
 * Finds the spans of many traces, at most about `maxSpans` in total and `maxOfTrace` per trace. `whole` contains the traces of which all
 * spans were read; spans of other traces can be missing.
 */
export async function findFewLinks(
  store: Pick<TraceStore, 'rowsForWriter'>,
  keys: readonly TraceKey[],
  { maxSpans, maxOfTrace }: { readonly maxSpans: number; readonly maxOfTrace: number },
): Promise<{
  readonly links: ReadonlyMap<string, readonly SpanLink[]>;
  readonly whole: ReadonlySet<string>;
}> {
  const links = new Map<string, SpanLink[]>();
  const whole = new Set<string>();
  let left = maxSpans;
  for (let from = 0; from < keys.length && left > 0; from += MAX_IDS) {
    const some = keys.slice(from, from + MAX_IDS);
    const within = ` LIMIT ${maxOfTrace + 1} BY project_id, trace_id LIMIT ${left + 1}`;
    const read = await readLinks(store, some, within, links);
    if (read <= left) {
      for (const name of some.map(formatKey)) {
        if ((links.get(name)?.length ?? 0) <= maxOfTrace) whole.add(name);
      }
    }
    left -= read;
  }
  return { links, whole };
}

/** Adds the rows to `links`. Returns the number of rows. */
async function readLinks(
  store: Pick<TraceStore, 'rowsForWriter'>,
  keys: readonly TraceKey[],
  within: string,
  links: Map<string, SpanLink[]>,
): Promise<number> {
  const rows = await store.rowsForWriter(
    LinkRow,
    `SELECT project_id, trace_id, ${LINK_SQL} AS link FROM spans WHERE ${matchTraces(keys)}${within}`,
  );
  for (const row of rows) {
    const key = `${row.project_id} ${row.trace_id}`;
    const known = links.get(key);
    if (known === undefined) links.set(key, [readLink(row.link)]);
    else known.push(readLink(row.link));
  }
  return rows.length;
}

/** Maximum number of rows read at a time. Parsing them blocks the event loop for about ten milliseconds. */
const PAGE_ROWS = 20_000;
/** A limit above the number of rows that any trace can have. Spans that were sent again have two rows until ClickHouse merges them. */
const MAX_ROWS = 4 * TRACE_LIMITS.traceSpans.max;

/** Finds the spans of one trace page by page, because a trace can have very many. */
export async function findLinksPaged(
  store: Pick<TraceStore, 'rowsForWriter'>,
  key: TraceKey,
): Promise<readonly SpanLink[]> {
  const links: SpanLink[] = [];
  let after = '';
  while (links.length < MAX_ROWS) {
    const found = new Map<string, SpanLink[]>();
    const from = after === '' ? '' : ` AND span_id ${after}`;
    const count = await readLinks(store, [key], `${from} ORDER BY span_id LIMIT ${PAGE_ROWS}`, found);
    const page = found.get(formatKey(key)) ?? [];
    for (const link of page) links.push(link);
    const first = page[0]?.spanId;
    const last = page.at(-1)?.spanId;
    if (count < PAGE_ROWS || last === undefined) break;
    // A span can have several rows, so the next page starts with the last span again, unless all rows of the page belong to this span.
    after = `${first === last ? '>' : '>='} ${formatLiterals([last])}`;
  }
  return links;
}

export function formatKey({ projectId, traceId }: TraceKey): string {
  return `${projectId} ${traceId}`;
}

/** Formats ids as SQL literals. Ids were validated on arrival; this second check keeps any other string out of the statement. */
export function formatLiterals(ids: readonly string[]): string {
  return [...new Set(ids)]
    .map((id) => {
      if (!/^[\da-f-]+$/.test(id)) throw new Error(`${JSON.stringify(id)} must not go into a statement`);
      return `'${id}'`;
    })
    .join(',');
}

const OF_TRACE = 'project_id = {project:UUID} AND trace_id = {traceId:String}';

function buildParams({ projectId, traceId }: TraceKey) {
  return { project: projectId, traceId };
}

/** Finds the spans of one trace for a reader. {@link findLinks} reads for writers. */
export async function findSpanLinks(store: TraceStore, key: TraceKey): Promise<SpanLink[]> {
  const lines = await store.rows(
    LinkRow.pick({ link: true }),
    `SELECT ${LINK_SQL} AS link FROM spans WHERE ${OF_TRACE} LIMIT ${MAX_ROWS}`,
    buildParams(key),
  );
  return lines.map(({ link }) => readLink(link));
}

/**
 * Builds SQL for a span as the JSON of a step. The JSON starts with a comma, because the caller puts the members that depend on the span's
 * position before it. The metadata gets the times in nanoseconds, because the times of a step are less precise.
 */
const stepJson = (withValues: boolean) => `concat(
  ${STEP_MEMBERS},
  ${STEP_ERROR_SQL},
  ',"metadata":', concat(${buildMembersSql(withValues)},
    '"otel.start_time_unix_nano":"', toString(start_nanos),
    '","otel.end_time_unix_nano":"', toString(start_nanos + duration_nanos),
    '","otel.resource":', toString(resource), '}'),
  ${withValues ? `${STEP_CAPTURED_SQL},` : ''}
  '}')`;

const STEP_MEMBERS = stepMembersSql({
  startMicros: 'intDiv(start_nanos, 1000)',
  endMicros: 'intDiv(start_nanos + duration_nanos, 1000)',
  durationMs: 'intDiv(duration_nanos, 1000) / 1000',
});

/**
 * Builds SQL for the start of the metadata object: its members, with a comma after the last one. Without values, large metadata is left
 * out.
 */
function buildMembersSql(withValues: boolean): string {
  const members = `concat(substring(metadata, 1, length(metadata) - 1), if(metadata = '{}', '', ','))`;
  return withValues ? members : `if(length(metadata) > ${MAX_PART_BYTES}, '{', ${members})`;
}

/** Maximum number of spans that are selected by id. For more, all spans of the trace are read and filtered in this process. */
const MAX_ASKED = 1000;
const SPAN_ID_LENGTH = 16;

/** Finds the given spans of a trace as steps, by span id; see {@link stepJson}. */
export async function findStepTexts(
  store: TraceStore,
  key: TraceKey,
  spanIds: readonly string[],
  options: { readonly values: boolean },
): Promise<ReadonlyMap<string, string>> {
  const asked = spanIds.length <= MAX_ASKED;
  // A span that was sent twice can still have two rows. The row that was stored first is used.
  const lines = await store.lines(
    `SELECT concat(span_id, ${stepJson(options.values)}) FROM (
       SELECT * FROM spans WHERE ${OF_TRACE}${asked ? ' AND span_id IN {spanIds:Array(String)}' : ''}
       ORDER BY span_id, stored_at LIMIT 1 BY span_id)`,
    { ...buildParams(key), ...(asked ? { spanIds } : {}) },
  );
  return new Map(lines.map((line) => [line.slice(0, SPAN_ID_LENGTH), line.slice(SPAN_ID_LENGTH)]));
}

/** Identifies a span within a project. */
export interface SpanKey {
  readonly traceId: string;
  readonly spanId: string;
}

/** Yields pairs of trace id and span id, in chunks that fit into a statement. */
function* listIdPairs(spans: readonly SpanKey[]): Generator<string> {
  for (let from = 0; from < spans.length; from += MAX_IDS) {
    const pairs = spans
      .slice(from, from + MAX_IDS)
      .map(({ traceId, spanId }) => `(${formatLiterals([traceId])},${formatLiterals([spanId])})`);
    yield pairs.join(',');
  }
}

export async function deleteSpans(
  store: TraceStore,
  project: ProjectId,
  spans: readonly SpanKey[],
): Promise<void> {
  for (const pairs of listIdPairs(spans)) {
    await store.command(
      `DELETE FROM spans WHERE project_id = {project:UUID} AND (trace_id, span_id) IN (${pairs})`,
      { project },
    );
  }
}

/** Counts the stored rows of the given spans. */
export async function countSpans(
  store: TraceStore,
  project: ProjectId,
  spans: readonly SpanKey[],
): Promise<number> {
  let total = 0;
  for (const pairs of listIdPairs(spans)) {
    total += await countRows(
      store,
      `SELECT count() AS rows FROM spans WHERE project_id = {project:UUID} AND (trace_id, span_id) IN (${pairs})`,
      { project },
    );
  }
  return total;
}
