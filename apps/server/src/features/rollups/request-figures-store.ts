import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { omitParts, type Reading, type Shown, type Split, splitRange } from './rollup-query-plan-store.ts';
import { type Figure, REQUEST_KEYS, REQUEST_VALUES, SYSTEM_VALUES } from './states-store.ts';

/** A column to group by: its SQL over traces and over rollups, and its schema in the result. */
interface Key {
  readonly ofTraces: string;
  readonly ofRollups: string;
  readonly shown: string;
}

const buildKey = (name: keyof typeof REQUEST_KEYS, shown: string) => (): Key => ({
  ofTraces: REQUEST_KEYS[name],
  ofRollups: name,
  shown,
});

const DIMENSIONS = {
  part: ({ selectPart }: Split): Key => ({
    ofTraces: selectPart('toUnixTimestamp64Micro(start_time)'),
    ofRollups: selectPart('toInt64(toUInt32(hour)) * 1000000'),
    shown: 'toString(k_part)',
  }),
  hour: (): Key => ({
    ofTraces: 'toStartOfHour(start_time)',
    ofRollups: 'hour',
    shown: 'toUInt32(intDiv(toUInt32(k_hour), 3600))',
  }),
  method: buildKey('method', 'toString(k_method)'),
  endpoint: buildKey('endpoint', 'toString(k_endpoint)'),
  statusClass: buildKey('status_class', 'k_statusClass'),
  service: buildKey('service', 'toString(k_service)'),
  environment: buildKey('environment', 'toString(k_environment)'),
  release: buildKey('release', 'toString(k_release)'),
} as const;
export type Dimension = keyof typeof DIMENSIONS;

const RequestFigures = z.object({
  /** Start of the part of the range, in epoch microseconds. */
  part: z.string().transform(BigInt).optional(),
  /** The hour in which the requests started: the number of hours since 1970 (UTC). */
  hour: z.number().optional(),
  method: z.string().optional(),
  endpoint: z.string().optional(),
  /** First digit of the status, such as 2 for 200 to 299; 0 if the request got no response. */
  statusClass: z.number().optional(),
  service: z.string().optional(),
  environment: z.string().optional(),
  release: z.string().optional(),
  requests: z.coerce.number(),
  errors: z.coerce.number(),
  duration_micros_sum: z.coerce.number(),
  duration_micros_max: z.coerce.number(),
  /** The 50th, 95th and 99th percentile in microseconds, each within half a percent of the exact value. */
  durations: z.tuple([z.number(), z.number(), z.number()]),
  steps_sum: z.coerce.number(),
  steps_max: z.coerce.number(),
});
/** Stats of the requests with the same values in the requested dimensions. Other dimensions are absent. */
export type RequestFigures = z.output<typeof RequestFigures>;

const SystemFigures = RequestFigures.extend({
  heap_used_sum: z.number(),
  heap_used_count: z.coerce.number(),
  cpu_usage_sum: z.number(),
  cpu_usage_count: z.coerce.number(),
  event_loop_delay_sum: z.number(),
  event_loop_delay_count: z.coerce.number(),
});
/** Request stats, and metrics that the services report, such as heap size. */
export type SystemFigures = z.output<typeof SystemFigures>;

/** A query for request stats: the schema of a result row, the values to compute, and the columns they need. */
interface Asked<Row extends z.ZodType> {
  readonly row: Row;
  readonly values: readonly Figure[];
  /** Columns of traces that the values are computed from. */
  readonly columns: string;
}
const COLUMNS = 'is_error, duration_micros, step_count';
export const REQUESTS: Asked<typeof RequestFigures> = {
  row: RequestFigures,
  values: REQUEST_VALUES,
  columns: COLUMNS,
};
export const SYSTEM: Asked<typeof SystemFigures> = {
  row: SystemFigures,
  values: [...REQUEST_VALUES, ...SYSTEM_VALUES],
  columns: `${COLUMNS}, heap_used, cpu_usage, event_loop_delay`,
};

/** Trace store to read, and a check for projects with so few traces that reading rollups would be slower. */
export interface Source {
  readonly store: TraceStore;
  readonly isSmall: (project: ProjectId) => Promise<boolean>;
}

/**
 * For SELECTs with FINAL, which count a trace once if two servers stored it at the same time. Both rows are in the partition of the day on
 * which they were stored, so FINAL can read each partition separately. ClickHouse filters by the columns of the sorting key, which are equal
 * in both rows, before it reads the other columns. By default, it does this only without FINAL.
 */
export const FOLDED =
  'SETTINGS do_not_merge_across_partitions_select_final = 1, optimize_move_to_prewhere_if_final = 1';

interface NamedKey extends Key {
  readonly name: Dimension;
}

/**
 * Computes stats of a project's unexpired requests in a range, for several groupings, in one query. All stats but the quantiles are
 * exact.
 */
export async function findRequestFigures<Row extends z.ZodType>(
  { store, isSmall }: Source,
  project: Shown,
  reading: Reading,
  sets: readonly (readonly Dimension[])[],
  asked: Asked<Row>,
): Promise<z.output<Row>[][]> {
  const isDivided = sets.some((set) => set.includes('part'));
  const split = await splitRange(store, project, isDivided ? reading : omitParts(reading), {
    fromTraces: await isSmall(project.id),
  });
  if (split === undefined) return sets.map(() => []);
  // Reads only the requested keys, because computing a trace's endpoint is slow.
  const keys: readonly NamedKey[] = [...new Set(sets.flat())].map((name) => ({
    name,
    ...DIMENSIONS[name](split),
  }));
  const plain = split.rolledUp === undefined;
  const named = (names: readonly Dimension[]) => names.map((name) => `k_${name}`).join(', ');
  const all = named(keys.map(({ name }) => name));
  const columns = [
    `${keys.length === 0 ? '0' : `grouping(${all})`} AS set_`,
    ...keys.map(({ name, shown }) => `${shown} AS ${name}_`),
    ...asked.values.map(({ column, figure, merged }) => `${plain ? figure : merged} AS ${column}_`),
  ];
  const grouped =
    keys.length === 0 ? '' : `GROUP BY GROUPING SETS (${sets.map((set) => `(${named(set)})`).join(', ')})`;
  const rows = await store.rows(
    z.looseObject({ set_: z.coerce.number() }),
    `SELECT ${columns.join(', ')} FROM (${plain ? selectFromTraces(split, keys, asked.columns) : selectFromBoth(split, keys, asked.values)}) ${grouped}
     HAVING requests_ > 0 ${FOLDED}`,
    split.params,
  );
  return sets.map((set) => {
    // Value of GROUPING for this set: one bit per key, the first key's bit is the highest, and the bit is 0 if the set groups by the key.
    const bits = keys.reduce((sum, { name }) => sum * 2 + (set.includes(name) ? 0 : 1), 0);
    const columnsOfSet = [...set, ...asked.values.map(({ column }) => column)];
    return rows.flatMap((row) =>
      row.set_ === bits
        ? [asked.row.parse(Object.fromEntries(columnsOfSet.map((name) => [name, row[`${name}_`]])))]
        : [],
    );
  });
}

function selectFromTraces({ traces }: Split, keys: readonly NamedKey[], columns: string): string {
  return `SELECT ${[...keys.map((key) => `${key.ofTraces} AS k_${key.name}`), columns].join(', ')} FROM traces FINAL WHERE ${traces}`;
}

/** Builds a SELECT of the rollups' rows, and of equivalent rows computed from traces for the hours that are not read from rollups. */
function selectFromBoth(
  { traces, rolledUp }: Split,
  keys: readonly NamedKey[],
  values: readonly Figure[],
): string {
  const columns = values.map(({ column }) => column);
  const names = keys.map(({ name }) => `k_${name}`);
  return `SELECT ${[...keys.map((key) => `${key.ofRollups} AS k_${key.name}`), ...columns].join(', ')}
    FROM request_rollups WHERE ${rolledUp}
    UNION ALL SELECT ${[...names, ...columns].join(', ')} FROM (
      SELECT ${[...keys.map((key) => `${key.ofTraces} AS k_${key.name}`), ...values.map((value) => `${value.ofTraces} AS ${value.column}`)].join(', ')}
      FROM traces FINAL WHERE ${traces} ${names.length === 0 ? 'HAVING count() > 0' : `GROUP BY ${names.join(', ')}`})`;
}
