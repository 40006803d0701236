import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type AskedRange, eitherAsked, selectAsked } from '../rollups/index.ts';
import { type Conditions, type Filters, isOfCallers } from './conditions.ts';

/** So many ids are looked up once; of more, each query asks the store again. */
const MAX_IDS = 1000;

/** What a row of who asked says of a request, as the request's own row does. */
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

/** Requests that such services asked for. */
export interface AskedBy extends Conditions {
  /** What stands after FROM for rows that say the same of them, fewer and quicker to go through than traces; undefined where the filters ask for more. */
  readonly table: string | undefined;
}

/**
 * Those of the traces that meet `among` which such a service asked for: its own conditions are not among what is answered. Who asked is the same as on
 * the map of services.
 */
export async function askedBy(
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
  const asked = await selectAsked(store, range, among.sql);
  const params = { ...asked.params, ...(caller !== '' && { caller }) };
  // As numbers: of plain ids the engine would first look up in the table's order where they may be, which takes longer than reading all.
  const isAmong = (requests: string) =>
    `toUInt128(id) IN (SELECT toUInt128(request) FROM (${requests}) WHERE ${sources})`;
  const others = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  const saidThere = others.every(([name]) => SAID_THERE.has(name));
  const table = saidThere ? `(SELECT * FROM (${eitherAsked(asked)}) WHERE ${sources})` : undefined;
  if (asked.changing === undefined) return { sql: [isAmong(asked.rolledUp)], params, table };
  const changing = await store.rows(
    z.object({ request: z.string() }),
    `SELECT toString(request) AS request FROM (${asked.changing}) WHERE ${sources} LIMIT ${MAX_IDS + 1}`,
    { ...among.params, ...params },
  );
  if (changing.length > MAX_IDS) return { sql: [isAmong(eitherAsked(asked))], params, table };
  return {
    sql: [`(${isAmong(asked.rolledUp)} OR id IN {changingRequests:Array(UUID)})`],
    params: { ...params, changingRequests: changing.map(({ request }) => request) },
    table,
  };
}
