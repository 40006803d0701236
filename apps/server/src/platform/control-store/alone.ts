import { sql } from 'drizzle-orm';
import { type Locks, numberLocks } from '../queues/locks.ts';
import type { ControlDb } from './open.ts';

/** Any number, the same in every version. */
const LOCKS = 7_218_644;
/** A transaction that waits longer is refused, and its caller tries again. */
const MAX_WAIT = '10s';
/** Twice what a request to the trace store may take: a server that hangs does not hold the others up for longer. */
const MAX_HOLD = '120s';

/**
 * Runs `task` while no other connection to this database runs one under any of the same names. The locks are a transaction's, so that none
 * outlives its connection, whatever becomes of this process. Should the connection be lost meanwhile, what becomes of the task is still what is told:
 * it is not stopped, but can ask.
 * @throws where the locks are not to be had, before the task begins
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
        // A statement of the same transaction proves that its locks are still held.
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
