import { DIFFERENCE_FIELDS } from '@throughline/contract';
import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { ENDPOINT, ERROR_GROUP } from '../../rollups/index.ts';
import type { Conditions } from '../list/conditions.ts';

/** Maximum number of compared values per field: the most frequent among the matching requests. */
const MAX_VALUES = 300;
/** Attributes with a longer name or value are left out, and so are the attributes of a request after the first `MAX_ATTRIBUTES`. */
const MAX_LENGTH = 200;
const MAX_ATTRIBUTES = 50;

const count = z.coerce.number();
const Totals = z.object({ matching: count, others: count });
export type Totals = z.output<typeof Totals>;

/** The matching requests, and all compared requests: the matching ones and the others. */
export interface Compared {
  readonly matching: Conditions;
  readonly all: Conditions;
}

export async function countCompared(store: TraceStore, { matching, all }: Compared): Promise<Totals> {
  const { sql, params } = rename(matching);
  const [row] = await store.rows(
    Totals,
    `SELECT countIf(matches) AS matching, countIf(NOT matches) AS others
     FROM (SELECT ${sql} AS matches FROM traces WHERE ${all.sql.join(' AND ')})`,
    { ...all.params, ...params },
  );
  return row ?? { matching: 0, others: 0 };
}

const FIELDS: { readonly [Name in Exclude<(typeof DIFFERENCE_FIELDS)[number], 'attribute'>]: string } = {
  status: `if(status_code = 0, '', toString(status_code))`,
  endpoint: ENDPOINT,
  method: 'upper(method)',
  errorGroup: `if(is_error, ${ERROR_GROUP}, '')`,
  service: 'toString(service)',
  environment: 'toString(environment)',
  release: 'toString(release)',
  instance: 'toString(instance)',
  country: 'toString(country)',
  user: 'user_id',
};

/** Builds `name:value` of each attribute with a plain value; a name with a colon or a quote is in quotes, as in the filter language. */
const ATTRIBUTES = `arrayMap(pair -> ('attribute', concat(if(match(pair.1, '[:"]'), toJSONString(pair.1), pair.1), ':',
  if(startsWith(pair.2, '"'), JSONExtractString(pair.2), pair.2))),
  arrayFilter(pair -> NOT match(pair.2, '^[\\\\[{]') AND length(pair.2) <= ${MAX_LENGTH} AND length(pair.1) <= ${MAX_LENGTH},
    arraySlice(JSONExtractKeysAndValuesRaw(attributes), 1, ${MAX_ATTRIBUTES})))`;

const ValueRow = z.object({
  field: z.enum(DIFFERENCE_FIELDS),
  value: z.string(),
  matching: count,
  others: count,
});
export type CountedValue = z.output<typeof ValueRow>;

/** The sampling of requests: one in `matching` of the matching requests and one in `others` of the other requests is counted. */
export type Sampled = Totals;

/** Counts the requests that have each value, among the matching requests and among the other requests. */
export async function countValues(
  store: TraceStore,
  { matching, all }: Compared,
  sampled: Sampled,
): Promise<CountedValue[]> {
  const { sql, params } = rename(matching);
  const pairs = Object.entries(FIELDS).map(([field, value]) => `('${field}', ${value})`);
  return store.rows(
    ValueRow,
    `SELECT property.1 AS field, property.2 AS value, countIf(matches) AS matching, countIf(NOT matches) AS others
     FROM (
       SELECT matches, arrayJoin(properties) AS property
       FROM (SELECT id, ${sql} AS matches, arrayConcat([${pairs.join(', ')}], ${ATTRIBUTES}) AS properties
         FROM traces WHERE ${all.sql.join(' AND ')})
       WHERE /* bounded above */ cityHash64(id) % if(matches, {oneInMatching:UInt32}, {oneInOthers:UInt32}) = 0)
     WHERE /* bounded above */ value != '' GROUP BY field, value HAVING matching > 0
     ORDER BY matching DESC, field, value LIMIT ${MAX_VALUES} BY field`,
    { ...all.params, ...params, oneInMatching: sampled.matching, oneInOthers: sampled.others },
  );
}

/**
 * Renames the parameters of the matching requests: one statement contains the conditions of `matching` and of `all`, whose parameters have
 * the same names.
 */
function rename({ sql, params }: Conditions) {
  return {
    sql: sql.map((condition) => `(${condition.replaceAll(/\{(\w+):/g, '{m_$1:')})`).join(' AND '),
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [`m_${name}`, value])),
  };
}
