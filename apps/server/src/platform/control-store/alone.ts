import { sql } from 'drizzle-orm';
import { type Locks, numberLocks } from '../queues/locks.ts';
import type { ControlDb } from './control-store.ts';

/** First key of every advisory lock: an arbitrary number that must be the same in every version. */
const LOCKS = 7_218_644;
/**
 * Maximum time that a transaction waits for its locks. After this time the transaction fails: batches of traces that wait for the locks are
 * refused and must be sent again, and background work is tried again later.
 */
const MAX_WAIT = '10s';
/**
 * Maximum time that a transaction holds its locks without running a statement, so that a hanging server does not block the other servers
 * for longer. Twice the maximum duration of a request to the trace store.
 */
const MAX_HOLD = '120s';

/**
 * Runs `task` while no other connection to this database runs a task under any of the same names. The locks
 * belong to a transaction, so they never outlive the connection, even if this process crashes. If the
 * connection is lost, the task continues and its result is still returned; the task can check whether it
 * still holds the locks.
 * @throws if the locks cannot be acquired; the task is then not started
 */
export async function runAlone<T>(
  db: ControlDb,
  names: readonly string[],
  task: (locks: Locks) => Promise<T>,
): Promise<T> {
  const numbers = numberLocks(names);
  let outcome: Promise<T> | undefined;
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config('lock_timeout', ${MAX_WAIT}, true), set_config('idle_in_transaction_session_timeout', ${MAX_HOLD}, true)`,
      );
      const slots = sql.join(
        numbers.map((number) => sql`(${number}::int)`),
        sql`, `,
      );
      await tx.execute(
        sql`select pg_advisory_xact_lock(${LOCKS}::int, slot) from (values ${slots}) as slots (slot)`,
      );
      outcome = task({
        numbers,
        // A successful statement in the same transaction proves that its locks are still held.
        async check() {
          await tx.execute(sql`select 1`);
        },
      });
      return outcome;
    });
  } catch (error) {
    if (outcome === undefined) throw error;
    return outcome;
  }
}
