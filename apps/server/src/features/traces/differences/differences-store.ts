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
  /** The numbers of matching and of other requests, if they are known. */
  readonly totals?: Totals;
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

const DIFFERENCE_FIELD = z.enum(DIFFERENCE_FIELDS);
/** If `field` is empty, the row has the numbers of all requests of the sample. */
const FieldRow = z.object({
  field: z.union([DIFFERENCE_FIELD, z.literal('')]),
  value: z.string(),
  matching: count,
  others: count,
});
const ValueRow = z.object({
  field: DIFFERENCE_FIELD,
  value: z.string(),
  matching: count,
  others: count,
});
export type CountedValue = z.output<typeof ValueRow>;

/** The sampling of requests: one in `matching` of the matching requests and one in `others` of the other requests is counted. */
export type Sampled = Totals;

type Field = CountedValue['field'];

/** Builds SQL that selects the requests of the sample, after `AND`. Without sampling, no ids are read. */
function selectSample({ matching, others }: Sampled): string {
  return matching === 1 && others === 1 ? 'true' : `cityHash64(id) % if(matches, ${matching}, ${others}) = 0`;
}

/** The requests that have each value of the fields, and the requests of the sample. */
export interface CountedFields {
  readonly values: readonly CountedValue[];
  /** The size of the sample differs at random from the number of requests divided by {@link Sampled}. Undefined if no field was counted. */
  readonly size: Totals | undefined;
}

/** Counts the requests that have each value of these fields, among the matching requests and among the other requests. */
export async function countFields(
  store: TraceStore,
  { matching, all }: Compared,
  sampled: Sampled,
  isCounted: (field: Field) => boolean,
): Promise<CountedFields> {
  const { sql, params } = rename(matching);
  const counted = Object.entries(FIELDS).filter(([field]) => isCounted(DIFFERENCE_FIELD.parse(field)));
  if (counted.length === 0) return { values: [], size: undefined };
  const fields = counted.map(([name, value], index) => ({
    name,
    value,
    key: `key${index}`,
    // Each group has the value of one field. `grouping` sets the bits of all other fields.
    code: 2 ** counted.length - 1 - 2 ** (counted.length - 1 - index),
  }));
  const list = (write: (field: (typeof fields)[number]) => string) => fields.map(write).join(', ');
  const rows = await store.rows(
    FieldRow,
    `SELECT transform(grouping(${list(({ key }) => key)}), [${list(({ code }) => String(code))}], [${list(({ name }) => `'${name}'`)}], '') AS field,
       concat('', ${list(({ key }) => key)}) AS value, countIf(matches) AS matching, countIf(NOT matches) AS others
     FROM (SELECT ${sql} AS matches, ${list(({ value, key }) => `${value} AS ${key}`)}
       FROM traces WHERE ${all.sql.join(' AND ')} AND ${selectSample(sampled)})
     GROUP BY GROUPING SETS ((), ${list(({ key }) => `(${key})`)}) HAVING field = '' OR matching > 0 AND value != ''
     ORDER BY matching DESC, field, value LIMIT ${MAX_VALUES} BY field`,
    { ...all.params, ...params },
  );
  return {
    values: rows.flatMap(({ field, ...row }) => (field === '' ? [] : { field, ...row })),
    size: rows.find(({ field }) => field === ''),
  };
}

/** SQL for the attributes of a request with a plain value, as pairs of a name and JSON. */
const ATTRIBUTES = `arrayFilter(pair -> substring(pair.2, 1, 1) NOT IN ('[', '{') AND length(pair.2) <= ${MAX_LENGTH} AND length(pair.1) <= ${MAX_LENGTH},
  arraySlice(JSONExtractKeysAndValuesRaw(attributes), 1, ${MAX_ATTRIBUTES}))`;
/** SQL for the text of a pair's value. Only text with a backslash is parsed again, because parsing is slow. */
const ATTRIBUTE_TEXT = `if(startsWith(pair.2, '"'),
  if(position(pair.2, '\\\\') = 0, substring(pair.2, 2, length(pair.2) - 2), JSONExtractString(pair.2)), pair.2)`;

/**
 * Counts the requests that have each attribute, among the matching requests and among the other requests. Groups attributes by hash, and
 * keeps only the text of attributes that a matching request has: most attributes of the other requests are ids.
 */
export async function countAttributes(
  store: TraceStore,
  { matching, all }: Compared,
  sampled: Sampled,
): Promise<CountedValue[]> {
  const { sql, params } = rename(matching);
  return store.rows(
    ValueRow,
    // In the value `name:text`, a name with a colon or a quote is in quotes, as in the filter language.
    `SELECT 'attribute' AS field, concat(if(position(name, ':') > 0 OR position(name, '"') > 0, toJSONString(name), name), ':', text) AS value, matching, others
     FROM (
       SELECT anyIf(attribute.1, matches) AS name, anyIf(attribute.2, matches) AS text, countIf(matches) AS matching, countIf(NOT matches) AS others
       FROM (SELECT ${sql} AS matches, arrayJoin(arrayMap(pair -> (pair.1, ${ATTRIBUTE_TEXT}), ${ATTRIBUTES})) AS attribute
         FROM traces WHERE ${all.sql.join(' AND ')} AND ${selectSample(sampled)})
       GROUP BY cityHash64(attribute) HAVING matching > 0)
     ORDER BY matching DESC, value LIMIT ${MAX_VALUES}`,
    { ...all.params, ...params },
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
