import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { selectShownTraces } from '../analytics/index.ts';
import { type ErrorGrouping, selectErrors, selectShownError } from '../errors/index.ts';
import {
  ENDPOINT,
  ERROR_GROUP,
  ERROR_ID,
  ERROR_PLACE,
  FOLDED,
  type Range,
  type Reading,
  type Shown,
} from '../rollups/index.ts';

/** Maximum number of new errors. If there are more, those with the most requests are taken. */
const MAX_NEW_ERRORS = 2000;

const count = z.coerce.number();
const micros = z.string().transform(BigInt);
const START = 'toUnixTimestamp64Micro(start_time)';
const FIRST = `min(${START})`;

/**
 * Finds the ids of errors that occurred at least a given number of times in the period, and did not occur before it. The time before the
 * period begins at `before.from`.
 */
export async function findNewErrorIds(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  before: Range,
  least: number,
  grouping: ErrorGrouping,
): Promise<string[]> {
  const { from, params } = selectShownTraces(project, { ...reading, from: before.from });
  const shown = selectShownError(grouping);
  const rows = await store.rows(
    z.object({ error_id: z.string() }),
    `SELECT ${shown.id} AS error_id FROM ${from} AND is_error GROUP BY error_id
     HAVING count() >= {least:UInt32} AND ${FIRST} >= {current:Int64}
     ORDER BY count() DESC, error_id LIMIT ${MAX_NEW_ERRORS} ${FOLDED}`,
    { ...params, ...shown.params, least, current: String(reading.from) },
  );
  return rows.map(({ error_id }) => error_id);
}

const NewErrorRow = z.object({
  error_id: z.string(),
  message_id: z.string(),
  service_name: z.string(),
  message: z.string(),
  place: z.string(),
  errors: count,
  users: count,
  endpoint_count: count,
  first: micros,
  last: micros,
  example: z.string(),
});
export type NewErrorRow = z.output<typeof NewErrorRow>;

/** Reads the errors with these ids in the period. The example of each error is its newest request. */
export async function readNewErrors(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  grouping: ErrorGrouping,
  ids: readonly string[],
): Promise<NewErrorRow[]> {
  const { from, params } = selectShownTraces(project, reading);
  const shown = selectShownError(grouping);
  const of = selectErrors(
    grouping,
    ids.flatMap((id) => [id, ...grouping.listMerged(id)]),
  );
  return store.rows(
    NewErrorRow,
    `SELECT ${shown.id} AS error_id, anyIf(${ERROR_ID}, ${shown.own} = ${shown.id}) AS message_id,
       ${shown.choose('toString(service)')} AS service_name, ${shown.choose(`toString(${ERROR_GROUP})`)} AS message,
       argMaxIf(toString(${ERROR_PLACE}), start_time, ${ERROR_PLACE} != '' AND ${shown.own} = ${shown.id}) AS place,
       count() AS errors, uniqExactIf(user_id, user_id != '') AS users, uniqExact(upper(method), ${ENDPOINT}) AS endpoint_count,
       toString(${FIRST}) AS first, toString(max(${START})) AS last, toString(argMax(id, (start_time, id))) AS example
     FROM ${from} AND ${of.sql} GROUP BY error_id ORDER BY errors DESC, error_id ${FOLDED}`,
    { ...params, ...shown.params, ...of.params },
  );
}
