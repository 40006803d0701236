import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ControlDb } from './open.ts';

/** Any number, the same in every version. */
const LOCKS = 7_218_644;
/** Whoever waits longer is refused, and comes again. */
const LONGEST_WAIT = '10s';
/** Twice what a request to the trace store may take: a server that hangs does not hold the others up for longer. */
const LONGEST_HOLD = '120s';

/**
 * Runs `task` while no other connection to this database runs one under any of the same names. The locks are a transaction's, so that none
 * outlives its connection, whatever becomes of this process. Should the connection be lost meanwhile, what becomes of the task is still what is told:
 * it is not stopped.
 * @throws where the locks are not to be had, before the task begins
 */
export async function runAlone<T>(
  db: ControlDb,
  names: readonly string[],
  task: () => Promise<T>,
): Promise<T> {
  let outcome: Promise<T> | undefined;
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config('lock_timeout', ${LONGEST_WAIT}, true), set_config('idle_in_transaction_session_timeout', ${LONGEST_HOLD}, true)`,
      );
      const slots = sql.join(
        slotsOf(names).map((slot) => sql`(${slot}::int)`),
        sql`, `,
      );
      await tx.execute(
        sql`select pg_advisory_xact_lock(${LOCKS}::int, slot) from (values ${slots}) as slots (slot)`,
      );
      outcome = task();
      return outcome;
    });
  } catch (error) {
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/**
 * The locks that names stand for, each once, always in the same order, so that two servers cannot wait for each other. There are 256 in all, since
 * PostgreSQL has room for some thousands; names that share one wait for each other without need.
 */
function slotsOf(names: readonly string[]): number[] {
  const slots = names.map((name) => createHash('sha256').update(name).digest().readUInt8(0));
  return [...new Set(slots)].sort((a, b) => a - b);
}
