import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { type AskedRange, selectAllEdges, selectEdges } from '../../rollups/index.ts';
import { type Conditions, type Filters, isOfCallers } from './conditions.ts';

/** Maximum number of ids of requests that are looked up once, in advance. If there are more, each query selects them again. */
const MAX_IDS = 1000;

/** Filters on fields that the rows of service edges contain, too. A query with only these filters does not read the traces. */
const SAID_THERE: ReadonlySet<string> = new Set([
  'caller',
  'callers',
  'service',
  'services',
  'environment',
  'release',
  'status',
  'minDuration',
  'maxDuration',
]);

/** Conditions for requests called by the given services. */
export interface AskedBy extends Conditions {
  /**
   * FROM expression of the caller rows, which are fewer than traces and faster to scan; undefined if a filter needs fields that caller
   * rows do not have.
   */
  readonly table: string | undefined;
}

/**
 * Restricts a trace query to requests called by the given services. Returns only the extra conditions; combine them with `among`. Callers
 * are found by the same rules as on the service map.
 */
export async function buildCallerFilter(
  store: TraceStore,
  filters: Filters,
  range: AskedRange,
  among: Conditions,
): Promise<AskedBy> {
  if (!isOfCallers(filters)) return { sql: [], params: {}, table: undefined };
  const { caller = '', callers } = filters;
  const sources = [
    ...(caller === '' ? [] : ['source = {caller:String}']),
    ...(callers === undefined ? [] : [callers === 'unnamed' ? `source = ''` : `source != ''`]),
  ].join(' AND ');
  const asked = await selectEdges(store, range, among.sql);
  const params = { ...asked.params, ...(caller !== '' && { caller }) };
  // Compares ids as numbers. If UUIDs were compared, ClickHouse would first search their positions in the table's sort order, which takes
  // longer than reading all rows.
  const isAmong = (requests: string) =>
    `toUInt128(id) IN (SELECT toUInt128(request) FROM (${requests}) WHERE ${sources})`;
  const others = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  const saidThere = others.every(([name]) => SAID_THERE.has(name));
  const table = saidThere ? `(SELECT * FROM (${selectAllEdges(asked)}) WHERE ${sources})` : undefined;
  if (asked.changing === undefined) return { sql: [isAmong(asked.rolledUp)], params, table };
  const changing = await store.rows(
    z.object({ request: z.string() }),
    `SELECT toString(request) AS request FROM (${asked.changing}) WHERE ${sources} LIMIT ${MAX_IDS + 1}`,
    { ...among.params, ...params },
  );
  if (changing.length > MAX_IDS) return { sql: [isAmong(selectAllEdges(asked))], params, table };
  return {
    sql: [`(${isAmong(asked.rolledUp)} OR id IN {changingRequests:Array(UUID)})`],
    params: { ...params, changingRequests: changing.map(({ request }) => request) },
    table,
  };
}
