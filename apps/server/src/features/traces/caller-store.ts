import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type AskedRange, selectAsked } from '../rollups/index.ts';
import { type CallerFilters, type Conditions, isOfCallers } from './conditions.ts';

/**
 * Those of the traces that meet `among` which such a service asked for: its own conditions are not among what is answered. Who asked is the same as on
 * the map of services.
 */
export async function askedBy(
  store: TraceStore,
  { caller = '', callers }: CallerFilters,
  asked: AskedRange,
  among: Conditions,
): Promise<Conditions> {
  if (!isOfCallers({ caller, callers })) return { sql: [], params: {} };
  const sources = [
    ...(caller === '' ? [] : ['source = {caller:String}']),
    ...(callers === undefined ? [] : [callers === 'unnamed' ? `source = ''` : `source != ''`]),
  ];
  const { sql, params } = await selectAsked(store, asked, among.sql);
  return {
    // As numbers: of plain ids the engine would first look up in the table's order where they may be, which takes longer than reading all.
    sql: [`toUInt128(id) IN (SELECT toUInt128(request) FROM (${sql}) WHERE ${sources.join(' AND ')})`],
    params: { ...params, ...(caller !== '' && { caller }) },
  };
}
