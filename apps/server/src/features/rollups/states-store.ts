import { ENDPOINT } from './names-store.ts';

/** One column of a rollup, and how it is made of traces. */
interface State {
  readonly column: string;
  readonly ofTraces: string;
}

/** How its values for several hours come to one figure, and how traces do. */
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
const maxFigure = (column: string, ofTraces: string): Figure => ({
  column,
  ofTraces,
  merged: `max(${column})`,
  figure: ofTraces,
});

/** Columns of a table of rollups: `by` are those that its rows differ in. */
interface States {
  /** The names of all, for an insert. */
  readonly columns: string;
  /** The same, of traces. */
  readonly select: string;
  /** The names of those that rows differ in. */
  readonly by: string;
}

function buildStates(keys: Readonly<Record<string, string>>, values: readonly State[]): States {
  return {
    columns: [...Object.keys(keys), ...values.map(({ column }) => column)].join(', '),
    // In a subquery of its own names: an alias would otherwise stand for the column that it is made of.
    select: [...Object.values(keys), ...values.map(({ ofTraces }) => ofTraces)].join(', '),
    by: Object.values(keys).join(', '),
  };
}

/** Relative accuracy, then the levels. They are part of the column's type. */
const QUANTILES = '0.005, 0.5, 0.95, 0.99';

/** Just below the levels, for `selectNearestRanks`. */
const LEVELS_BELOW = '0.005, 0.499999999999, 0.949999999999, 0.989999999999';

/**
 * The values at the nearest ranks, ⌈level × n⌉ of n. The engine takes the value at ⌊level × (n - 1)⌋, counted from 0, which is one too low
 * for most n. With the longest duration counted once more, that of a level just below is the nearest rank, and no value at it changes.
 */
const selectNearestRanks = (state: string, longest: string) =>
  `arrayReduce('quantilesDDMerge(${LEVELS_BELOW})',
    [${state}, initializeAggregation('quantilesDDState(${QUANTILES})', toFloat64(${longest}))])`;

/** What requests are told apart by. */
export const REQUEST_KEYS = {
  method: 'upper(method)',
  endpoint: ENDPOINT,
  status_class: 'toUInt8(intDiv(status_code, 100))',
  service: 'service',
  environment: 'environment',
  release: 'release',
} as const;

/** What is known of each request. */
export const REQUEST_VALUES = [
  sumFigure('requests', 'count()'),
  sumFigure('errors', 'countIf(is_error)'),
  sumFigure('duration_micros_sum', 'sum(duration_micros)'),
  maxFigure('duration_micros_max', 'max(duration_micros)'),
  {
    column: 'durations',
    ofTraces: `quantilesDDState(${QUANTILES})(toFloat64(duration_micros))`,
    merged: selectNearestRanks(`quantilesDDMergeState(${QUANTILES})(durations)`, 'max(duration_micros_max)'),
    figure: selectNearestRanks(
      `quantilesDDState(${QUANTILES})(toFloat64(duration_micros))`,
      'max(duration_micros)',
    ),
  },
  sumFigure('steps_sum', 'sum(step_count)'),
  maxFigure('steps_max', 'max(step_count)'),
] as const;

/** What services say of themselves, beside some requests. Reading it of traces takes longer than all the rest. */
export const SYSTEM_VALUES = [
  sumFigure('heap_used_sum', 'ifNull(sum(heap_used), 0)'),
  sumFigure('heap_used_count', 'count(heap_used)'),
  sumFigure('cpu_usage_sum', 'ifNull(sum(cpu_usage), 0)'),
  sumFigure('cpu_usage_count', 'count(cpu_usage)'),
  sumFigure('event_loop_delay_sum', 'ifNull(sum(event_loop_delay), 0)'),
  sumFigure('event_loop_delay_count', 'count(event_loop_delay)'),
] as const;

export const REQUEST_STATES = buildStates(REQUEST_KEYS, [...REQUEST_VALUES, ...SYSTEM_VALUES]);

/** A user who is away for so long has ended a session. */
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
