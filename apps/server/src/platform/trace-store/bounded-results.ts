import type { TraceStore } from './trace-store.ts';

/**
 * Returns the store for queries whose result is usually small. If a result is larger than `maxBytes`, the query fails before the result is
 * in this process's memory, and the engine stops early. The caller can recognize the error with {@link isResultTooLarge}, and read in
 * pages.
 */
export function boundResults(store: TraceStore, maxBytes: number): TraceStore {
  const limits = [
    `max_result_bytes = ${maxBytes}`,
    `result_overflow_mode = 'throw'`,
    `max_memory_usage = ${computeMaxMemory(maxBytes)}`,
  ].join(', ');
  const bounded = (sql: string) => `${sql}${/ SETTINGS (?!.*\))/s.test(sql) ? ',' : ' SETTINGS'} ${limits}`;
  return {
    ...store,
    rows: (row, sql, params) => store.rows(row, bounded(sql), params),
    lines: (sql, params) => store.lines(bounded(sql), params),
  };
}

/**
 * Memory for reading a granule of 10 MB, of which ClickHouse holds two copies: as read and as sorted. `MAX_COPIES` is the number of copies
 * of the result that exist until the result is formatted as JSON.
 */
const READING_BYTES = 32 * 1024 * 1024;
const MAX_COPIES = 8;

/**
 * Computes the memory limit of a query. The engine sorts and formats a whole result before it counts the bytes of the result: 50 MB took
 * 310 MB.
 */
function computeMaxMemory(maxResultBytes: number): number {
  return READING_BYTES + MAX_COPIES * maxResultBytes;
}

/** ClickHouse's messages for a query above a limit. Excludes the message for the memory limit of all queries together. */
const TOO_LARGE =
  /\bTOO_MANY_ROWS_OR_BYTES\b|Limit for result exceeded|Query memory limit exceeded|Memory limit \(for query\) exceeded/;

export function isResultTooLarge(error: unknown): boolean {
  return error instanceof Error && TOO_LARGE.test(error.message);
}
