import { ENDPOINT } from './names-store.ts';

/** A rollup column, and the SQL over traces that computes the column. */
interface State {
  readonly column: string;
  readonly ofTraces: string;
}

/** A rollup column, with SQL for its final value: `merged` computes it from rows of rollups, `figure` directly from traces. */
export interface Figure extends State {
  readonly merged: string;
  readonly figure: string;
}

const sumFigure = (column: string, ofTraces: string): Figure => ({
  column,
  ofTraces,
  merged: `sum(${column})`,
  figure: ofTraces,
});
const defineMaxFigure = (column: string, ofTraces: string): Figure => ({
  column,
  ofTraces,
  merged: `max(${column})`,
  figure: ofTraces,
});

/** The columns of a rollup table, as SQL; `by` contains the grouping columns. */
interface States {
  /** Names of all columns, for an INSERT. */
  readonly columns: string;
  /** SQL over traces for each column. */
  readonly select: string;
  /** SQL of the grouping columns. */
  readonly by: string;
}

function buildStates(keys: Readonly<Record<string, string>>, values: readonly State[]): States {
  return {
    columns: [...Object.keys(keys), ...values.map(({ column }) => column)].join(', '),
    // The SELECT has no aliases: ClickHouse would replace a column with an alias of the same name.
    select: [...Object.values(keys), ...values.map(({ ofTraces }) => ofTraces)].join(', '),
    by: Object.values(keys).join(', '),
  };
}

/**
 * Parameters of ClickHouse's function for quantiles: the relative accuracy, then the quantile levels. They are part of the column's type.
 */
const QUANTILES = '0.005, 0.5, 0.95, 0.99';

/** Levels slightly below the levels of QUANTILES, for `selectNearestRanks`. */
const LEVELS_BELOW = '0.005, 0.499999999999, 0.949999999999, 0.989999999999';

/**
 * Builds SQL for the values at the nearest ranks, ceil(level * n) of n values. ClickHouse takes the value at floor(level * (n - 1)),
 * counted from 0, which is one rank too low for most n. To correct the rank, the longest duration is added once more, which does not move
 * the other values, and each level is slightly lower.
 */
const selectNearestRanks = (state: string, longest: string) =>
  `arrayReduce('quantilesDDMerge(${LEVELS_BELOW})',
    [${state}, initializeAggregation('quantilesDDState(${QUANTILES})', toFloat64(${longest}))])`;

/** SQL over traces for the P50, P95 and P99 of their durations in microseconds. */
export const DURATION_RANKS = selectNearestRanks(
  `quantilesDDState(${QUANTILES})(toFloat64(duration_micros))`,
  'max(duration_micros)',
);

/** Columns that request rollups are grouped by. */
export const REQUEST_KEYS = {
  method: 'upper(method)',
  endpoint: ENDPOINT,
  status_class: 'toUInt8(intDiv(status_code, 100))',
  service: 'service',
  environment: 'environment',
  release: 'release',
} as const;

export const REQUEST_VALUES = [
  sumFigure('requests', 'count()'),
  sumFigure('errors', 'countIf(is_error)'),
  sumFigure('duration_micros_sum', 'sum(duration_micros)'),
  defineMaxFigure('duration_micros_max', 'max(duration_micros)'),
  {
    column: 'durations',
    ofTraces: `quantilesDDState(${QUANTILES})(toFloat64(duration_micros))`,
    merged: selectNearestRanks(`quantilesDDMergeState(${QUANTILES})(durations)`, 'max(duration_micros_max)'),
    figure: DURATION_RANKS,
  },
  sumFigure('steps_sum', 'sum(step_count)'),
  defineMaxFigure('steps_max', 'max(step_count)'),
] as const;

/** Metrics that services send with some requests. Reading them from traces takes longer than reading all other values together. */
export const SYSTEM_VALUES = [
  sumFigure('heap_used_sum', 'ifNull(sum(heap_used), 0)'),
  sumFigure('heap_used_count', 'count(heap_used)'),
  sumFigure('cpu_usage_sum', 'ifNull(sum(cpu_usage), 0)'),
  sumFigure('cpu_usage_count', 'count(cpu_usage)'),
  sumFigure('event_loop_delay_sum', 'ifNull(sum(event_loop_delay), 0)'),
  sumFigure('event_loop_delay_count', 'count(event_loop_delay)'),
] as const;

export const REQUEST_STATES = buildStates(REQUEST_KEYS, [...REQUEST_VALUES, ...SYSTEM_VALUES]);

/** A pause of this length or more ends a user's session. */
export const SESSION_PAUSE_MICROS = 30 * 60 * 1_000_000;

const PAUSES = `arrayFilter(gap -> gap >= ${SESSION_PAUSE_MICROS},
  arrayDifference(arraySort(groupArray(toUnixTimestamp64Micro(start_time)))))`;

export const USER_STATES = buildStates({ user_id: 'user_id' }, [
  sumFigure('requests', 'count()'),
  sumFigure('errors', 'countIf(is_error)'),
  sumFigure('duration_micros_sum', 'sum(duration_micros)'),
  { column: 'first_start', ofTraces: 'min(start_time)' },
  { column: 'last_start', ofTraces: 'max(start_time)' },
  sumFigure('pauses', `toUInt32(length(${PAUSES}))`),
  sumFigure('paused_micros', `toUInt64(arraySum(${PAUSES}))`),
]);
