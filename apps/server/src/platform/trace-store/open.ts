import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { drainPending, Session } from 'chdb';
import { type ChdbConnection, createChdbConnection } from 'chdb/connection';
import type { z } from 'zod';
import type { ClickHouseConfig } from '../config.ts';
import { type Locks, locksWithoutOthers } from '../locks.ts';
import { partsOf } from './all-nodes.ts';
import { setFsync } from './fsync.ts';
import { withLiterals } from './literals.ts';
import { migrate } from './migrate.ts';
import { INSERT_SETTINGS, QUIET, queriesOf, runCommand } from './queries.ts';
import { withRowsFile } from './rows-file.ts';
import { openServed } from './served.ts';

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
  /** Like `command`, for what may take long: neither an insert nor a reader waits for it. */
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
  /**
   * This store for who holds locks, so as to look what is stored and to store what is not: what it inserts and commands is not begun once the
   * locks are lost. Resolves when nothing is left running of what was sent under one of them by whoever had it before and died, or was cut off.
   * @throws InsertsLeft where that takes ten seconds
   */
  holding(locks: Locks): Promise<TraceStore>;
  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

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
    // Who may not see what runs learns it now, not from traces that are refused.
    else await store.holding(locksWithoutOthers([]));
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
  const store: TraceStore = {
    ...queriesOf(reader, writer),
    partsOfAllNodes: partsOf(undefined),
    command: (sql, params) => runLiterally(writer, sql, params),
    commandBeside: (sql, params) => runLiterally(builder, sql, params),
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
    // What this process sent ends with it, and is never cut off from it.
    holding: async () => store,
    async close() {
      await Promise.all([reader.close(), writer.close(), builder.close()]);
      await drainPending();
    },
  };
  return store;
}

/** Without parameters where it can be, so that no reader waits for it. */
function runLiterally(client: ClickHouseClient, sql: string, params: QueryParams = {}): Promise<void> {
  const literal = withLiterals(sql, params);
  return literal === undefined ? runCommand(client, sql, params) : runCommand(client, literal);
}

function clientOver(connection: ChdbConnection): ClickHouseClient {
  // chdb declares itself by client-common's types, of which @clickhouse/client has a copy: the same shapes under two names.
  return createClient({
    connection: connection as unknown as NonNullable<ClientConfig['connection']>,
    log: QUIET,
  });
}
