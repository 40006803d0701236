import type { TraceStore } from './trace-store.ts';

/**
 * Returns the store for queries whose result is usually small. A result larger than `maxBytes` fails before
 * it is in this process's memory, and {@link isResultTooLarge} recognizes the error; the caller can then read
 * in pages. The engine stops before it has read everything.
 */
export function boundedResults(store: TraceStore, maxBytes: number): TraceStore {
  const limits = [
    `max_result_bytes = ${maxBytes}`,
    `result_overflow_mode = 'throw'`,
    `max_memory_usage = ${maxMemoryBytes(maxBytes)}`,
  ].join(', ');
  const bounded = (sql: string) => `${sql}${/ SETTINGS (?!.*\))/s.test(sql) ? ',' : ' SETTINGS'} ${limits}`;
  return {
    ...store,
    rows: (row, sql, params) => store.rows(row, bounded(sql), params),
    lines: (sql, params) => store.lines(bounded(sql), params),
  };
}

/**
 * A granule of 10 MB, once as read and once as sorted. `MAX_COPIES` counts copies of the result on its way to
 * JSON.
 */
const READING_BYTES = 32 * 1024 * 1024;
const MAX_COPIES = 8;

/** The engine sorts and formats a whole result before it counts its bytes: 50 MB took 310 MB. */
function maxMemoryBytes(maxResultBytes: number): number {
  return READING_BYTES + MAX_COPIES * maxResultBytes;
}

/** ClickHouse's error messages. The memory limit of all statements together is not included. */
const TOO_LARGE =
  /\bTOO_MANY_ROWS_OR_BYTES\b|Limit for result exceeded|Query memory limit exceeded|Memory limit \(for query\) exceeded/;

export function isResultTooLarge(error: unknown): boolean {
  return error instanceof Error && TOO_LARGE.test(error.message);
}
