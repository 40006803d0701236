import { Readable } from 'node:stream';
import { type ClickHouseSettings, createClient } from '@clickhouse/client';
import { z } from 'zod';
import type { ClickHouseConfig } from '../../config.ts';
import { selectDetachedParts, selectParts } from '../all-nodes.ts';
import { buildQueries, INSERT_SETTINGS, QUIET, runCommand } from '../queries.ts';
import { splitAfterRows } from '../rows/row-parts.ts';
import type { TraceStore } from '../trace-store.ts';
import { CLUSTER_SETTINGS, onCluster } from './cluster.ts';
import { awaitInsertsLeft, buildComment, buildCommentsSql } from './inserts-left.ts';

/** Maximum time without a response. Deletions, rewrites and exports (`long`) respond only when they end. */
const TIMEOUT_MS = { query: 60_000, long: 15 * 60_000 } as const;

export function openServed(config: ClickHouseConfig): TraceStore {
  const connect = (request_timeout: number) =>
    createClient({
      url: config.url,
      username: config.user,
      password: config.password,
      database: config.database,
      request_timeout,
      log: QUIET,
      compression: { request: true, response: true },
      ...(config.cluster === undefined ? {} : { clickhouse_settings: CLUSTER_SETTINGS }),
    });
  // A client has a limited number of connections, so inserts and slow statements have their own clients.
  const writer = connect(TIMEOUT_MS.query);
  const reader = connect(TIMEOUT_MS.query);
  const builder = connect(TIMEOUT_MS.long);
  const queries = buildQueries(reader, writer, builder);
  /** Builds the functions that change data. Each of their statements is sent with `settings`. */
  const changing = (settings: ClickHouseSettings): Pick<TraceStore, 'command' | 'insert'> => ({
    async command(sql, params) {
      const statements = config.cluster === undefined ? [sql] : onCluster(sql, config.cluster);
      for (const statement of statements) await runCommand(builder, statement, params, settings);
    },
    async insert(table, columns, rows) {
      const [first, ...rest] = columns;
      if (first === undefined) throw new Error(`an insert into ${table} names no column`);
      await writer.insert({
        table,
        columns: [first, ...rest],
        values: Readable.from(Buffer.isBuffer(rows) ? [rows] : rows, { objectMode: false }),
        format: 'TabSeparated',
        clickhouse_settings: { ...INSERT_SETTINGS, ...settings },
      });
    },
  });
  const findComments = async () => {
    const rows = await queries.rowsForWriter(
      z.object({ comment: z.string() }),
      buildCommentsSql(config.cluster),
    );
    return rows.map(({ comment }) => comment);
  };
  const store: TraceStore = {
    ...queries,
    ...changing({}),
    partsOfAllNodes: selectParts(config.cluster),
    detachedPartsOfAllNodes: selectDetachedParts(config.cluster),
    commandBeside: (sql, params) => store.command(sql, params),
    async *stream(sql, query_params = {}) {
      const answer = await builder.exec({
        query: `${sql} FORMAT TabSeparated`,
        query_params,
        // Without this setting, a query that fails half-way would append an error message to a successful response.
        clickhouse_settings: { wait_end_of_query: 1 },
      });
      yield* splitAfterRows(answer.stream);
    },
    async holding({ numbers, check }) {
      const { database } = config;
      await awaitInsertsLeft({ database, locks: numbers }, findComments);
      const { command, insert } = changing({ log_comment: buildComment(database, numbers) });
      return {
        ...store,
        async command(sql, params) {
          await check();
          await command(sql, params);
        },
        async insert(table, columns, rows) {
          await check();
          await insert(table, columns, rows);
        },
      };
    },
    async close() {
      await Promise.all([reader.close(), writer.close(), builder.close()]);
    },
  };
  return store;
}
