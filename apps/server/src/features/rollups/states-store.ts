import { ENDPOINT } from './names-store.ts';

/** One column of a rollup: how it is made of traces, and how its values for several hours become one. */
interface State {
  readonly column: string;
  readonly ofTraces: string;
  readonly merged: string;
}

const sumOf = (column: string, ofTraces: string): State => ({ column, ofTraces, merged: `sum(${column})` });
const maxOf = (column: string, ofTraces: string): State => ({ column, ofTraces, merged: `max(${column})` });

/** Columns of a table of rollups: `by` are those that its rows differ in. */
interface States {
  /** The names of all, for an insert. */
  readonly columns: string;
  /** The same, of traces. */
  readonly select: string;
  /** The names of those that rows differ in. */
  readonly by: string;
  /** What makes these of a trace, by name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly values: readonly State[];
}

function statesOf(keys: Readonly<Record<string, string>>, values: readonly State[]): States {
  return {
    columns: [...Object.keys(keys), ...values.map(({ column }) => column)].join(', '),
    // In a subquery of its own names: an alias would otherwise stand for the column that it is made of.
    select: [...Object.values(keys), ...values.map(({ ofTraces }) => ofTraces)].join(', '),
    by: Object.values(keys).join(', '),
    keys,
    values,
  };
}

const QUANTILES = '0.005, 0.5, 0.95, 0.99';

export const REQUEST_STATES = statesOf(
  {
    method: 'upper(method)',
    endpoint: ENDPOINT,
    status_class: 'toUInt8(intDiv(status_code, 100))',
    service: 'service',
    environment: 'environment',
    release: 'release',
  },
  [
    sumOf('requests', 'count()'),
    sumOf('errors', 'countIf(is_error)'),
    sumOf('duration_micros_sum', 'sum(duration_micros)'),
    maxOf('duration_micros_max', 'max(duration_micros)'),
    {
      column: 'durations',
      ofTraces: `quantilesDDState(${QUANTILES})(toFloat64(duration_micros))`,
      merged: `quantilesDDMerge(${QUANTILES})(durations)`,
    },
    sumOf('steps_sum', 'sum(step_count)'),
    maxOf('steps_max', 'max(step_count)'),
    sumOf('heap_used_sum', 'ifNull(sum(heap_used), 0)'),
    sumOf('heap_used_count', 'count(heap_used)'),
    sumOf('cpu_usage_sum', 'ifNull(sum(cpu_usage), 0)'),
    sumOf('cpu_usage_count', 'count(cpu_usage)'),
    sumOf('event_loop_delay_sum', 'ifNull(sum(event_loop_delay), 0)'),
    sumOf('event_loop_delay_count', 'count(event_loop_delay)'),
  ],
);

/** A user who is away for so long has ended a session. */
export const SESSION_PAUSE_MICROS = 30 * 60 * 1_000_000;

const PAUSES = `arrayFilter(gap -> gap >= ${SESSION_PAUSE_MICROS},
  arrayDifference(arraySort(groupArray(toUnixTimestamp64Micro(start_time)))))`;

export const USER_STATES = statesOf({ user_id: 'user_id' }, [
  sumOf('requests', 'count()'),
  sumOf('errors', 'countIf(is_error)'),
  sumOf('duration_micros_sum', 'sum(duration_micros)'),
  { column: 'first_start', ofTraces: 'min(start_time)', merged: 'min(first_start)' },
  { column: 'last_start', ofTraces: 'max(start_time)', merged: 'max(last_start)' },
  sumOf('pauses', `toUInt32(length(${PAUSES}))`),
  sumOf('paused_micros', `toUInt64(arraySum(${PAUSES}))`),
]);
