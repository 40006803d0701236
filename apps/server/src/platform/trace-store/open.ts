import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { drainPending, Session } from 'chdb';
import { type ChdbConnection, createChdbConnection } from 'chdb/connection';
import type { z } from 'zod';
import type { ClickHouseConfig } from '../config.ts';
import { CLUSTER_SETTINGS, onCluster } from './cluster.ts';
import { setFsync } from './fsync.ts';
import { migrate } from './migrate.ts';
import { withRowsFile } from './rows-file.ts';

type ClientConfig = NonNullable<Parameters<typeof createClient>[0]>;
export type QueryParams = Readonly<Record<string, string | number | readonly string[] | readonly number[]>>;

/** Traces and their steps, in ClickHouse SQL, whether ClickHouse runs in this process or elsewhere. */
export interface TraceStore {
  /** Rows of a SELECT, each read by a schema. Values go in as `{name:Type}` parameters only. */
  rows<S extends z.ZodType>(row: S, sql: string, params?: QueryParams): Promise<z.output<S>[]>;
  /** The lines of a SELECT with one text column that holds no line end, as they are: JSON that is only passed on. */
  lines(sql: string, params?: QueryParams): Promise<string[]>;
  /**
   * Like `rows`, beside the inserts: never behind a slow read. Takes no parameters, because ClickHouse in process runs one query with
   * parameters at a time; what goes into the text must be made of checked ids.
   */
  rowsForWriter<S extends z.ZodType>(row: S, sql: string): Promise<z.output<S>[]>;
  command(sql: string, params?: QueryParams): Promise<void>;
  /** Like `command`, for what may take long: no insert waits for it. */
  commandBeside(sql: string, params?: QueryParams): Promise<void>;
  /** The lines of a SELECT in TabSeparated format, as they come and some at a time: for more than fits into memory. */
  stream(sql: string, params?: QueryParams): AsyncIterable<Buffer>;
  /**
   * Rows in TabSeparated format, in one piece or in several that are one insert all the same. Durable against the end of this process once it
   * resolves; atomic within one partition.
   */
  insert(table: string, columns: readonly string[], rows: Buffer | readonly Buffer[]): Promise<void>;
  /**
   * What to read the parts of this store's tables from, as SQL: `system.parts` of all nodes, where `table` is what the stores call it. Replicas
   * have the parts of their `shard` by the same names.
   */
  readonly partsOfAllNodes: string;
  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What fails is thrown, and logged where it is caught: the client's own log would go to standard error beside ours. */
const QUIET = { level: ClickHouseLogLevel.OFF } as const;

/**
 * Settings of every insert. Each goes into the statement itself: in process, settings given to the client stay on its session.
 * Asynchronous inserts are ClickHouse's default and would answer for rows that wait in memory among others' tables.
 */
const INSERT_SETTINGS = {
  async_insert: 0,
  max_insert_threads: '1',
  max_threads: 1,
  // Together a twentieth of an insert's CPU. Rows of one key are found before they are inserted, and folded by merges where they are not.
  optimize_on_insert: 0,
  input_format_parallel_parsing: 0,
} as const;
const SETTINGS_TEXT = Object.entries(INSERT_SETTINGS)
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ');

interface TraceStoreConfig {
  readonly clickhouse: ClickHouseConfig | undefined;
  readonly dataDir: string;
  /** Of the store in this process; a ClickHouse server's tables are its operator's. */
  readonly fsync?: boolean;
}

/**
 * Opens the store and brings its tables up to date, or to version `upTo`. One process a folder: a second one is refused by ClickHouse's own
 * lock.
 * @throws TraceStoreTooNew
 */
export async function openTraceStore(config: TraceStoreConfig, upTo?: number): Promise<TraceStore> {
  const store = openUnmigrated(config);
  try {
    await migrate(store, upTo);
    if (config.clickhouse === undefined) await setFsync(store, config.fsync ?? false);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Opens the store with the tables that it has: to look at it. */
export function openUnmigrated(config: TraceStoreConfig): TraceStore {
  return config.clickhouse === undefined ? openEmbedded(config.dataDir) : openServed(config.clickhouse);
}

function openEmbedded(folder: string): TraceStore {
  const path = join(folder, 'traces');
  // A connection runs one statement at a time, so inserts have one of their own, and so has what takes long.
  const writing = createChdbConnection({ path });
  const writer = clientOver(writing);
  const reader = clientOver(createChdbConnection({ path }));
  const builder = clientOver(createChdbConnection({ path }));
  return {
    ...queriesOf(reader, writer),
    partsOfAllNodes: partsOf(undefined),
    commandBeside: (sql, params) => runCommand(builder, sql, params),
    async *stream(sql, params = {}) {
      // One stream runs on a connection at a time, and nothing else beside it.
      const session = new Session(path);
      try {
        for await (const chunk of session.queryStreamBind(sql, params, { format: 'TabSeparated' })) {
          if (chunk.numBytes > 0) yield Buffer.from(chunk.raw());
        }
      } finally {
        session.close();
      }
    },
    async insert(table, columns, rows) {
      const pieces = Buffer.isBuffer(rows) ? [rows] : rows;
      if (pieces.every(({ length }) => length === 0)) return;
      await withRowsFile(folder, pieces, (file) =>
        writing.chdb.queryAsync(
          `INSERT INTO ${table} (${columns.join(', ')}) FROM INFILE '${file}' SETTINGS ${SETTINGS_TEXT} FORMAT TabSeparated`,
        ),
      );
    },
    async close() {
      await Promise.all([reader.close(), writer.close(), builder.close()]);
      await drainPending();
    },
  };
}

function clientOver(connection: ChdbConnection): ClickHouseClient {
  // chdb declares itself by client-common's types, of which @clickhouse/client has a copy: the same shapes under two names.
  return createClient({
    connection: connection as unknown as NonNullable<ClientConfig['connection']>,
    log: QUIET,
  });
}

/** How long a server may be silent: what it deletes, writes anew or exports it speaks of only when it is done. */
const TIMEOUT_MS = { query: 60_000, long: 15 * 60_000 } as const;

function openServed(config: ClickHouseConfig): TraceStore {
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
  // A client has so many connections and no more, so inserts have their own, and so has what takes long.
  const writer = connect(TIMEOUT_MS.query);
  const reader = connect(TIMEOUT_MS.query);
  const builder = connect(TIMEOUT_MS.long);
  const command: TraceStore['command'] = async (sql, params) => {
    const statements = config.cluster === undefined ? [sql] : onCluster(sql, config.cluster);
    for (const statement of statements) await runCommand(builder, statement, params);
  };
  return {
    ...queriesOf(reader, writer),
    partsOfAllNodes: partsOf(config.cluster),
    command,
    commandBeside: command,
    async *stream(sql, query_params = {}) {
      const answer = await builder.exec({
        query: `${sql} FORMAT TabSeparated`,
        query_params,
        // Else a query that fails half-way would end a good answer with an error's text.
        clickhouse_settings: { wait_end_of_query: 1 },
      });
      yield* wholeLines(answer.stream);
    },
    async insert(table, columns, rows) {
      const [first, ...rest] = columns;
      if (first === undefined) throw new Error(`an insert into ${table} names no column`);
      await writer.insert({
        table,
        columns: [first, ...rest],
        values: Readable.from(Buffer.isBuffer(rows) ? [rows] : rows, { objectMode: false }),
        format: 'TabSeparated',
        clickhouse_settings: INSERT_SETTINGS,
      });
    },
    async close() {
      await Promise.all([reader.close(), writer.close(), builder.close()]);
    },
  };
}

/** Exported for whoever checks that the engine can read it. */
export function partsOf(cluster: string | undefined): string {
  return cluster === undefined
    ? partsIn('system.parts')
    : partsIn(`clusterAllReplicas('${cluster}', system.parts)`, '_shard_num');
}

/** On a cluster a table's rows are in one of another name on each shard. */
function partsIn(source: string, shard = '1'): string {
  return `(SELECT * REPLACE (replaceRegexpOne(table, '_local$', '') AS table), ${shard} AS shard FROM ${source} WHERE database = currentDatabase())`;
}

async function runCommand(client: ClickHouseClient, query: string, params: QueryParams = {}): Promise<void> {
  await client.command({ query, query_params: params });
}

function queriesOf(
  reader: ClickHouseClient,
  writer: ClickHouseClient,
): Omit<TraceStore, 'commandBeside' | 'insert' | 'stream' | 'partsOfAllNodes' | 'close'> {
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
    rowsForWriter: (row, sql) => select(writer, row, sql),
    async lines(query, query_params = {}) {
      const answer = await reader.query({ query, query_params, format: 'TabSeparatedRaw' });
      const text = await answer.text();
      return text === '' ? [] : text.replace(/\n$/, '').split('\n');
    },
    command: (sql, params) => runCommand(writer, sql, params),
    async ping() {
      const answer = await reader.ping();
      if (!answer.success) throw answer.error;
    },
  };
}

/** Pieces cut anywhere as pieces that end with a line. */
async function* wholeLines(pieces: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('an answer arrived decoded');
    const end = piece.lastIndexOf(10) + 1;
    if (end > 0) {
      yield Buffer.concat([...rest, piece.subarray(0, end)]);
      rest = [];
    }
    if (end < piece.length) rest.push(piece.subarray(end));
  }
  if (rest.length > 0) throw new Error('the answer was cut off');
}
