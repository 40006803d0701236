import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Reading, type Shown, type Split, splitRange } from './rollup-query-plan-store.ts';
import { type Figure, REQUEST_KEYS, REQUEST_VALUES, SYSTEM_VALUES } from './states-store.ts';

/** One grouping key: its expressions over traces and over rollups, and in the answer. */
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

/** The keys by which stats can be grouped. */
const DIMENSIONS = {
  part: ({ part }: Split): Key => ({
    ofTraces: part.traces,
    ofRollups: part.rolledUp,
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
  /** Start of the part of the range, epoch µs. */
  part: z.string().transform(BigInt).optional(),
  /** Hours since 1970, UTC. */
  hour: z.number().optional(),
  method: z.string().optional(),
  endpoint: z.string().optional(),
  /** 2 for 200 to 299; 0 if the request got no answer. */
  statusClass: z.number().optional(),
  service: z.string().optional(),
  environment: z.string().optional(),
  release: z.string().optional(),
  requests: z.coerce.number(),
  errors: z.coerce.number(),
  duration_micros_sum: z.coerce.number(),
  duration_micros_max: z.coerce.number(),
  /** Microseconds at 50, 95 and 99 percent, each within half a percent of its value. */
  durations: z.tuple([z.number(), z.number(), z.number()]),
  steps_sum: z.coerce.number(),
  steps_max: z.coerce.number(),
});
/** Stats of the requests with the same values in the requested dimensions; only those dimensions have a member. */
export type RequestFigures = z.output<typeof RequestFigures>;

const SystemFigures = RequestFigures.extend({
  heap_used_sum: z.number(),
  heap_used_count: z.coerce.number(),
  cpu_usage_sum: z.number(),
  cpu_usage_count: z.coerce.number(),
  event_loop_delay_sum: z.number(),
  event_loop_delay_count: z.coerce.number(),
});
/** Request stats with the services' own metrics. */
export type SystemFigures = z.output<typeof SystemFigures>;

/** The values to compute for requests. */
interface Asked<Row extends z.ZodType> {
  readonly row: Row;
  readonly values: readonly Figure[];
  /** The columns of traces from which the values are computed. */
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

/** The store to read, and whether a project has too few traces for rollups to pay off. */
export interface Source {
  readonly store: TraceStore;
  readonly isSmall: (project: ProjectId) => Promise<boolean>;
}

/** Counts a trace once that two servers stored at the same moment. Both rows are in the same partition, the day of storing. */
export const FOLDED = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

interface NamedKey extends Key {
  readonly name: Dimension;
}

/** Computes the stats of a project's unexpired requests over a range, for several groupings, in one query. Only the quantiles are estimates. */
export async function findRequestFigures<Row extends z.ZodType>(
  { store, isSmall }: Source,
  project: Shown,
  reading: Reading,
  sets: readonly (readonly Dimension[])[],
  asked: Asked<Row>,
): Promise<z.output<Row>[][]> {
  const split = await splitRange(store, project, reading, { fromTraces: await isSmall(project.id) });
  if (split === undefined) return sets.map(() => []);
  // Only requested keys are read, because a trace's endpoint is costly to read.
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
    `SELECT ${columns.join(', ')} FROM (${plain ? ofTraces(split, keys, asked.columns) : ofBoth(split, keys, asked.values)}) ${grouped}
     HAVING requests_ > 0 ${FOLDED}`,
    split.params,
  );
  return sets.map((set) => {
    // One bit per key, the first is the highest; 0 if the row is grouped by the key.
    const bits = keys.reduce((sum, { name }) => sum * 2 + (set.includes(name) ? 0 : 1), 0);
    const columnsOfSet = [...set, ...asked.values.map(({ column }) => column)];
    return rows.flatMap((row) =>
      row.set_ === bits
        ? [asked.row.parse(Object.fromEntries(columnsOfSet.map((name) => [name, row[`${name}_`]])))]
        : [],
    );
  });
}

function ofTraces({ traces }: Split, keys: readonly NamedKey[], columns: string): string {
  return `SELECT ${[...keys.map((key) => `${key.ofTraces} AS k_${key.name}`), columns].join(', ')} FROM traces FINAL WHERE ${traces}`;
}

/** Selects rows of rollups, and equivalent rows of the other hours. */
function ofBoth({ traces, rolledUp }: Split, keys: readonly NamedKey[], values: readonly Figure[]): string {
  const columns = values.map(({ column }) => column);
  const names = keys.map(({ name }) => `k_${name}`);
  return `SELECT ${[...keys.map((key) => `${key.ofRollups} AS k_${key.name}`), ...columns].join(', ')}
    FROM request_rollups WHERE ${rolledUp}
    UNION ALL SELECT ${[...names, ...columns].join(', ')} FROM (
      SELECT ${[...keys.map((key) => `${key.ofTraces} AS k_${key.name}`), ...values.map((value) => `${value.ofTraces} AS ${value.column}`)].join(', ')}
      FROM traces FINAL WHERE ${traces} ${names.length === 0 ? 'HAVING count() > 0' : `GROUP BY ${names.join(', ')}`})`;
}
