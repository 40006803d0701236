import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Locks } from '../queues/locks.ts';
import type * as schema from './tables/schema.ts';

/** Runs queries in the PostgreSQL dialect, which is the same for both drivers. A transaction has this type, too. */
export type ControlDb = PgDatabase<PgQueryResultHKT, typeof schema>;
/** Store of accounts, organizations, projects and keys. */
export interface ControlStore {
  readonly db: ControlDb;
  /** Notifies every server that uses this store, including this server. Channel names are in lower case. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Resolves when the connection listens. `onListening` is called then and after each reconnect, since notifications can have been missed.
   */
  listen(channel: string, onNotice: (payload: string) => void, onListening?: () => void): Promise<void>;
  /**
   * Runs a task while no other server on this store runs a task under any of these names. A store in the data
   * folder has only one server, so the task never waits for another server there. The lock and the task's writes
   * are not in one transaction.
   * @throws if the lock is not acquired within ten seconds
   */
  alone<T>(names: readonly string[], task: (locks: Locks) => Promise<T>): Promise<T>;
  /** Rejects if the store does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
