import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings } from '@clickhouse/client';
import type { z } from 'zod';
import type { QueryParams, TraceStore } from './trace-store.ts';
import { runMutation } from './unfinished-mutations.ts';

/** Turns off the client's own log, which would write to standard error. Errors are thrown, and logged where they are caught. */
export const QUIET = { level: ClickHouseLogLevel.OFF } as const;

/**
 * Settings of every insert. They are written into each statement, because the embedded engine keeps client
 * settings for its session. Asynchronous inserts, ClickHouse's default, are off: they would be acknowledged
 * while the rows are only in memory.
 */
export const INSERT_SETTINGS = {
  async_insert: 0,
  max_insert_threads: '1',
  max_threads: 1,
  // These two settings save a twentieth of an insert's CPU. Rows with duplicate keys are removed before the insert, or by merges.
  optimize_on_insert: 0,
  input_format_parallel_parsing: 0,
} as const;

export async function runCommand(
  client: ClickHouseClient,
  query: string,
  params: QueryParams = {},
  settings: ClickHouseSettings = {},
): Promise<void> {
  await runMutation(async () => {
    await client.command({ query, query_params: params, clickhouse_settings: settings });
  });
}

/**
 * Builds the functions that read from a ClickHouse server. Ordinary reads, reads that inserts need, and background reads use separate
 * connections.
 */
export function buildQueries(
  reader: ClickHouseClient,
  writer: ClickHouseClient,
  builder: ClickHouseClient,
): Pick<TraceStore, 'rows' | 'rowsForWriter' | 'rowsBeside' | 'lines' | 'ping'> {
  const select = async <S extends z.ZodType>(
    client: ClickHouseClient,
    row: S,
    query: string,
    params: QueryParams = {},
  ) => {
    const answer = await client.query({ query, query_params: params, format: 'JSONEachRow' });
    return (await answer.json()).map((found) => row.parse(found));
  };
  return {
    rows: (row, sql, params) => select(reader, row, sql, params),
    rowsForWriter: (row, sql, params) => select(writer, row, sql, params),
    rowsBeside: (row, sql, params) => select(builder, row, sql, params),
    async lines(query, query_params = {}) {
      const answer = await reader.query({ query, query_params, format: 'TabSeparatedRaw' });
      return splitLines(await answer.text());
    },
    async ping() {
      const answer = await reader.ping();
      if (!answer.success) throw answer.error;
    },
  };
}

export function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
