import type { TraceStore } from './open.ts';

/**
 * The store for readings whose result is small as a rule. One that is larger than `maxBytes` fails before it is in this process's memory, which
 * {@link isResultTooLarge} tells: the same can be read in pages then.
 */
export function boundedResults(store: TraceStore, maxBytes: number): TraceStore {
  const bounded = (sql: string) =>
    `${sql}${/ SETTINGS (?!.*\))/s.test(sql) ? ',' : ' SETTINGS'} max_result_bytes = ${maxBytes}, result_overflow_mode = 'throw'`;
  return {
    ...store,
    rows: (row, sql, params) => store.rows(row, bounded(sql), params),
    lines: (sql, params) => store.lines(bounded(sql), params),
  };
}

/** As ClickHouse calls it. */
const TOO_LARGE = /\bTOO_MANY_ROWS_OR_BYTES\b|Limit for result exceeded/;

export function isResultTooLarge(error: unknown): boolean {
  return error instanceof Error && TOO_LARGE.test(error.message);
}
