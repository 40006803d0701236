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

/** The ids of new errors. */
export interface NewErrorIds {
  /** Errors that did not occur before the period. */
  readonly everywhere: readonly string[];
  /** Errors that occurred before the period, but not in this environment, by environment. */
  readonly byEnvironment: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds the errors that occurred at least a given number of times in the period, and did not occur before it, or not in their environment.
 * The time before the period begins at `before.from`.
 */
export async function findNewErrorIds(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  before: Range,
  least: number,
  grouping: ErrorGrouping,
): Promise<NewErrorIds> {
  const { from, params } = selectShownTraces(project, { ...reading, from: before.from });
  const shown = selectShownError(grouping);
  const rows = await store.rows(
    z.object({ error_id: z.string(), is_new: count, environments: z.array(z.string()) }),
    `SELECT error_id, toUInt8(min(began) >= {current:Int64} AND sum(errors) >= {least:UInt32}) AS is_new,
       groupArrayIf(k_environment, k_environment != '' AND began >= {current:Int64} AND errors >= {least:UInt32}) AS environments
     FROM (SELECT ${shown.id} AS error_id, toString(environment) AS k_environment, count() AS errors, ${FIRST} AS began
       FROM ${from} AND is_error GROUP BY error_id, k_environment)
     GROUP BY error_id HAVING is_new OR (min(began) < {current:Int64} AND notEmpty(environments))
     ORDER BY sum(errors) DESC, error_id LIMIT ${MAX_NEW_ERRORS} ${FOLDED}`,
    { ...params, ...shown.params, least, current: String(reading.from) },
  );
  const known = rows.filter((row) => row.is_new === 0);
  const places = known.flatMap((row) =>
    row.environments.map((environment) => ({ environment, id: row.error_id })),
  );
  return {
    everywhere: rows.filter((row) => row.is_new === 1).map((row) => row.error_id),
    byEnvironment: new Map(
      [...Map.groupBy(places, ({ environment }) => environment)].map(([environment, all]) => [
        environment,
        all.map(({ id }) => id),
      ]),
    ),
  };
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

/** Selects the traces of the period that have one of these errors, or an error that was merged into one of them. */
function selectTracesWith(project: Shown, reading: Reading, grouping: ErrorGrouping, ids: readonly string[]) {
  const { from, params } = selectShownTraces(project, reading);
  const shown = selectShownError(grouping);
  const condition = selectErrors(
    grouping,
    ids.flatMap((id) => [id, ...grouping.listMerged(id)]),
  );
  return {
    from: `${from} AND ${condition.sql}`,
    shown,
    params: { ...params, ...shown.params, ...condition.params },
  };
}

/** Reads the errors with these ids in the period. The example of each error is its newest request. */
export async function readNewErrors(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  grouping: ErrorGrouping,
  ids: readonly string[],
): Promise<NewErrorRow[]> {
  const { from, shown, params } = selectTracesWith(project, reading, grouping, ids);
  return store.rows(
    NewErrorRow,
    `SELECT ${shown.id} AS error_id, anyIf(${ERROR_ID}, ${shown.own} = ${shown.id}) AS message_id,
       ${shown.choose('toString(service)')} AS service_name, ${shown.choose(`toString(${ERROR_GROUP})`)} AS message,
       argMaxIf(toString(${ERROR_PLACE}), start_time, ${ERROR_PLACE} != '' AND ${shown.own} = ${shown.id}) AS place,
       count() AS errors, uniqExactIf(user_id, user_id != '') AS users, uniqExact(upper(method), ${ENDPOINT}) AS endpoint_count,
       toString(${FIRST}) AS first, toString(max(${START})) AS last, toString(argMax(id, (start_time, id))) AS example
     FROM ${from} GROUP BY error_id ORDER BY errors DESC, error_id ${FOLDED}`,
    params,
  );
}

const SharedPartRow = z.object({
  error_id: z.string(),
  name: z.enum(['country', 'instance', 'attribute', 'user']),
  value: z.string(),
});
export type SharedPartRow = z.output<typeof SharedPartRow>;

/**
 * Finds the country, instance and user, and the values of these attributes, that all requests of an error in the period have. A value of an
 * attribute has the form `name:value`.
 */
export function readSharedParts(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  grouping: ErrorGrouping,
  { ids, attributes }: { readonly ids: readonly string[]; readonly attributes: readonly string[] },
): Promise<SharedPartRow[]> {
  const { from, shown, params } = selectTracesWith(project, reading, grouping, ids);
  return store.rows(
    SharedPartRow,
    `SELECT error_id, part.1 AS name, any(part.3) AS value FROM (
       SELECT ${shown.id} AS error_id, arrayJoin(arrayConcat(
           [('country', '', toString(country)), ('instance', '', toString(instance)), ('user', '', user_id)],
           arrayMap(key -> ('attribute', key, if(JSONExtractString(attributes, key) = '', '', concat(key, ':', JSONExtractString(attributes, key)))), {attributes:Array(String)}))) AS part
       FROM ${from})
     GROUP BY error_id, name, part.2 HAVING min(part.3) = max(part.3) AND value != '' ${FOLDED}`,
    { ...params, attributes },
  );
}
