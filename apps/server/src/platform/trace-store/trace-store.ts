import type { z } from 'zod';
import type { Locks } from '../queues/locks.ts';

export type QueryParams = Readonly<Record<string, string | number | readonly string[] | readonly number[]>>;
/** Traces and their steps in ClickHouse, either embedded in this process or on a server. */
export interface TraceStore {
  /**
   * Returns the rows of a SELECT, each parsed with a schema. Values are passed only as `{name:Type}`
   * parameters.
   */
  rows<S extends z.ZodType>(row: S, sql: string, params?: QueryParams): Promise<z.output<S>[]>;
  /**
   * Returns the unparsed lines of a SELECT with one string column without line breaks, such as JSON that is
   * only passed on.
   */
  lines(sql: string, params?: QueryParams): Promise<string[]>;
  /** Like `rows`, but never waits for a slow read. Used by inserts. */
  rowsForWriter: TraceStore['rows'];
  /** Like `rows`, for background work: neither inserts nor other reads wait for it. */
  rowsBeside: TraceStore['rows'];
  command(sql: string, params?: QueryParams): Promise<void>;
  /** Like `command`, for slow statements: neither inserts nor reads wait for it. */
  commandBeside(sql: string, params?: QueryParams): Promise<void>;
  /**
   * Streams the lines of a SELECT in TabSeparated format in chunks, for results that do not fit into memory.
   */
  stream(sql: string, params?: QueryParams): AsyncIterable<Buffer>;
  /**
   * Inserts rows in TabSeparated format; several buffers form a single insert. When it resolves, the rows
   * survive the end of this process. Atomic within one partition.
   */
  insert(table: string, columns: readonly string[], rows: Buffer | readonly Buffer[]): Promise<void>;
  /**
   * SQL source of this store's parts: `system.parts` of all nodes, with logical table names in `table`.
   * Replicas of a `shard` have the same part names.
   */
  readonly partsOfAllNodes: string;
  /** The same for `system.detached_parts`. */
  readonly detachedPartsOfAllNodes: string;
  /**
   * Returns this store for a lock holder, which checks what is stored before it stores the rest: no insert or
   * command starts after the locks are lost. Resolves when no statement of an earlier, dead or disconnected
   * holder is running.
   * @throws InsertsLeft after ten seconds
   */
  holding(locks: Locks): Promise<TraceStore>;
  /** Rejects if the store does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
