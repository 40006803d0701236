import { type GroupField, type GroupSort, MAX_COMPARED_GROUPS, MAX_GROUPS } from '@throughline/contract';
import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { DURATION_RANKS, ENDPOINT, ERROR_GROUP } from '../../rollups/index.ts';
import type { Conditions } from '../list/conditions.ts';

const count = z.coerce.number();
const micros = z.string().transform(BigInt);

/** SQL for the value by which requests are grouped; an empty string if a request has no such value. */
const VALUES: Readonly<Record<GroupField, string>> = {
  endpoint: ENDPOINT,
  errorGroup: ERROR_GROUP,
  user: 'user_id',
  release: 'toString(release)',
  service: 'toString(service)',
  status: `if(status_code = 0, '', toString(status_code))`,
  country: 'toString(country)',
  instance: 'toString(instance)',
};

/** Builds SQL for the columns that identify a group: the value and, for groups by endpoint, the method. */
function selectKeys(field: GroupField): { readonly verb: string; readonly value: string } {
  return { verb: field === 'endpoint' ? 'upper(method)' : `''`, value: VALUES[field] };
}

/** Restricts a query to the requests that can belong to a group: failed requests if the field is `errorGroup`, otherwise all. */
export function buildGrouped(field: GroupField): Conditions {
  return { sql: field === 'errorGroup' ? ['is_error'] : [], params: {} };
}

const FIRST = 'toString(toUnixTimestamp64Micro(min(start_time))) AS first_micros';
const LAST = 'toString(toUnixTimestamp64Micro(max(start_time))) AS last_micros';

const Totals = z.object({
  requests: count,
  failed: count,
  groups: count,
  first_micros: micros,
  last_micros: micros,
});
export type GroupTotals = z.output<typeof Totals>;

export async function countGroups(
  store: TraceStore,
  { sql, params }: Conditions,
  field: GroupField,
): Promise<GroupTotals> {
  const { verb, value } = selectKeys(field);
  const [row] = await store.rows(
    Totals,
    `SELECT count() AS requests, countIf(is_error) AS failed, uniqExact(${verb}, ${value}) AS groups, ${FIRST}, ${LAST}
     FROM traces WHERE ${sql.join(' AND ')}`,
    params,
  );
  return row ?? { requests: 0, failed: 0, groups: 0, first_micros: 0n, last_micros: 0n };
}

const Group = z.object({
  verb: z.string(),
  value: z.string(),
  requests: count,
  failed: count,
  p95_micros: z.number(),
  first_micros: micros,
  last_micros: micros,
  /** The indexes of the time buckets with requests, and the number of requests in each. */
  pieces: z.tuple([z.array(count), z.array(count)]),
});
export type FoundGroup = z.output<typeof Group>;

const BUSIEST = 'requests DESC, value, verb';
const ORDER: Readonly<Record<GroupSort, string>> = {
  count: BUSIEST,
  errors: `failed DESC, ${BUSIEST}`,
  p95: `p95_micros DESC, ${BUSIEST}`,
};

/** The groups to find, their order, and the time buckets of their sparklines. */
export interface AskedGroups {
  readonly field: GroupField;
  readonly sort: GroupSort;
  /** Number of groups that exist. If there are more than can be listed, only the first are found. */
  readonly groups: number;
  /**
   * Time buckets of `widthMicros` each, which begin at `fromMicros`. The first bucket includes earlier requests, and the last bucket later
   * ones.
   */
  readonly fromMicros: bigint;
  readonly widthMicros: bigint;
  readonly pieces: number;
}

/** Finds the stats of the first groups in the requested order. */
export async function findGroupRows(
  store: TraceStore,
  conditions: Conditions,
  asked: AskedGroups,
): Promise<FoundGroup[]> {
  const { sql, params } = chooseGroups(conditions, asked);
  const { verb, value } = selectKeys(asked.field);
  const piece = `least(greatest(intDiv(toUnixTimestamp64Micro(start_time) - {pieceFrom:Int64}, {pieceWidth:Int64}), 0), {lastPiece:Int64})`;
  return store.rows(
    Group,
    `SELECT ${verb} AS verb, ${value} AS value, count() AS requests, countIf(is_error) AS failed,
       (${DURATION_RANKS})[2] AS p95_micros, ${FIRST}, ${LAST}, sumMap([${piece}], [1]) AS pieces
     FROM traces WHERE ${sql.join(' AND ')}
     GROUP BY verb, value ORDER BY ${ORDER[asked.sort]} LIMIT ${MAX_GROUPS}`,
    {
      ...params,
      pieceFrom: String(asked.fromMicros),
      pieceWidth: String(asked.widthMicros),
      lastPiece: String(asked.pieces - 1),
    },
  );
}

/**
 * Restricts the requests to the groups that can be listed. Percentiles and time buckets take memory for each group, and there can be as
 * many groups as users.
 */
function chooseGroups({ sql, params }: Conditions, { field, sort, groups }: AskedGroups): Conditions {
  const most = sort === 'p95' ? MAX_COMPARED_GROUPS : MAX_GROUPS;
  if (groups <= most) return { sql, params };
  const { verb, value } = selectKeys(field);
  const chosen = `SELECT verb, value FROM (
    SELECT ${verb} AS verb, ${value} AS value, count() AS requests, countIf(is_error) AS failed
    FROM traces WHERE ${sql.join(' AND ')} GROUP BY verb, value ORDER BY ${sort === 'p95' ? BUSIEST : ORDER[sort]} LIMIT ${most})`;
  return { sql: [...sql, `(${verb}, ${value}) IN (${chosen})`], params };
}
