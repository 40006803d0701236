import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { selectShownTraces } from '../../analytics/index.ts';
import { type ErrorGrouping, selectErrors, selectShownError } from '../../errors/index.ts';
import {
  ENDPOINT,
  ERROR_GROUP,
  ERROR_ID,
  ERROR_PLACE,
  FOLDED,
  type Range,
  type Reading,
  type Shown,
} from '../../rollups/index.ts';

/** Maximum number of errors that began in the period, and of earlier errors. The errors with the most requests are read. */
const MAX_ERRORS = 2000;

const count = z.coerce.number();
const micros = z.string().transform(BigInt);
const START = 'toUnixTimestamp64Micro(start_time)';
const FIRST = `min(${START})`;

const ErrorTimesRow = z.object({
  error_id: z.string(),
  service_name: z.string(),
  message: z.string(),
  place: z.string(),
  errors: count,
  /** Start of the first request, epoch µs. */
  began: micros,
  /** When the error began in each environment with a name, and how often it occurred there. */
  environments: z.array(
    z
      .tuple([z.string(), micros, count])
      .transform(([environment, began, errors]) => ({ environment, began, errors })),
  ),
});
/** An error, and when it began. */
export type ErrorTimes = z.output<typeof ErrorTimesRow>;

/** Finds the errors since `before.from`: errors of the period (`reading`), and errors of the time before the period. */
export async function findErrorTimes(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  before: Range,
  grouping: ErrorGrouping,
): Promise<ErrorTimes[]> {
  const { from, params } = selectShownTraces(project, { ...reading, from: before.from });
  const shown = selectShownError(grouping);
  return store.rows(
    ErrorTimesRow,
    `SELECT error_id, argMin(k_service, first_start) AS service_name, argMin(k_message, first_start) AS message, argMin(k_place, first_start) AS place,
       sum(failed) AS errors, toString(min(first_start)) AS began,
       groupArrayIf((k_environment, toString(first_start), failed), k_environment != '') AS environments
     FROM (SELECT ${shown.id} AS error_id, toString(environment) AS k_environment, ${shown.choose('toString(service)')} AS k_service,
       ${shown.choose(`toString(${ERROR_GROUP})`)} AS k_message, max(toString(${ERROR_PLACE})) AS k_place, count() AS failed, ${FIRST} AS first_start
       FROM ${from} AND is_error GROUP BY error_id, k_environment)
     GROUP BY error_id ORDER BY errors DESC, error_id LIMIT ${MAX_ERRORS} BY min(first_start) >= {current:Int64} ${FOLDED}`,
    { ...params, ...shown.params, current: String(reading.from) },
  );
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
    `SELECT ${shown.id} AS error_id, anyIf(${ERROR_ID}, ${shown.isOwn}) AS message_id,
       ${shown.choose('toString(service)')} AS service_name, ${shown.choose(`toString(${ERROR_GROUP})`)} AS message,
       argMaxIf(toString(${ERROR_PLACE}), start_time, ${ERROR_PLACE} != '' AND ${shown.isOwn}) AS place,
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
 * Finds, for each error, the country, the instance, the user and the attribute values that are the same in all of the error's requests in
 * the period. A value of an attribute has the form `name:value`.
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
