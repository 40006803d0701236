import type { z } from 'zod';
import type { Locks } from '../queues/locks.ts';

export type QueryParams = Readonly<Record<string, string | number | readonly string[] | readonly number[]>>;
/** Traces and their steps in ClickHouse, either embedded in this process or on a server. */
export interface TraceStore {
  /** Returns the rows of a SELECT, each parsed with a schema. Values must be passed as `{name:Type}` parameters, never in the SQL. */
  rows<S extends z.ZodType>(row: S, sql: string, params?: QueryParams): Promise<z.output<S>[]>;
  /**
   * Returns the unparsed lines of a SELECT with one string column without line breaks, such as JSON that is
   * only passed on.
   */
  lines(sql: string, params?: QueryParams): Promise<string[]>;
  /** Like `rows`, but never waits for a slow read. For reads that inserts need. */
  rowsForWriter: TraceStore['rows'];
  /** Like `rows`, for background work: neither inserts nor other reads wait for this read. */
  rowsBeside: TraceStore['rows'];
  command(sql: string, params?: QueryParams): Promise<void>;
  /** Like `command`, for slow statements: neither inserts nor reads wait for this statement. */
  commandBeside(sql: string, params?: QueryParams): Promise<void>;
  /** Streams the lines of a SELECT as chunks in TabSeparated format, for results that do not fit into memory. */
  stream(sql: string, params?: QueryParams): AsyncIterable<Buffer>;
  /**
   * Inserts rows in TabSeparated format. Several buffers form a single insert. Once the promise resolves, the rows survive the end of this
   * process. The insert is atomic within one partition.
   */
  insert(table: string, columns: readonly string[], rows: Buffer | readonly Buffer[]): Promise<void>;
  /**
   * SQL source of the parts of this store's tables: `system.parts` of all nodes. The column `table` has the tables' names without the
   * suffix `_local`. Replicas of a `shard` have the same part names.
   */
  readonly partsOfAllNodes: string;
  /** The same as `partsOfAllNodes`, for `system.detached_parts`. */
  readonly detachedPartsOfAllNodes: string;
  /**
   * Returns this store for the holder of `locks`. Waits until no statement of an earlier holder, such as a crashed server, is still
   * running, so that the new holder sees everything that was stored. After the locks are lost, no insert or command is started.
   * @throws InsertsLeft after ten seconds
   */
  holding(locks: Locks): Promise<TraceStore>;
  /** Rejects if the store does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
