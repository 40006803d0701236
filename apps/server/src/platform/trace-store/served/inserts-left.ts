/**
 * Prevents duplicate traces after a server crash. When a server dies during an INSERT, PostgreSQL releases the server's advisory locks, but
 * ClickHouse keeps running the INSERT. The next lock holder would not see those rows and would insert them again. Each INSERT therefore has
 * its lock numbers in `log_comment`, which cluster shards receive too. A new holder waits until `system.processes` lists no INSERT with its
 * lock numbers. `query_id` would not do, because it differs on each shard.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { selectProcesses } from '../all-nodes.ts';

/** An insert of a previous lock holder is still running. */
class InsertsLeft extends Error {
  override readonly name = 'InsertsLeft';
}

/** Maximum time to wait until the inserts of earlier lock holders have ended. It equals the maximum time that a server waits for a lock. */
const PATIENCE_MS = 10_000;
const POLL_MS = { first: 5, longest: 100 } as const;

const BEGINNING = 'throughline insert under locks ';
const SAID = /^throughline insert under locks ([\d,]+) into (.*)$/s;

/**
 * Builds the comment of an insert. The comment includes the database's name, since a ClickHouse server can have several databases and a
 * shard does not show which database an insert belongs to.
 */
export function buildComment(database: string, locks: readonly number[]): string {
  return `${BEGINNING}${locks.join()} into ${database}`;
}

/**
 * Builds the query for the comments of all running inserts, as rows of `comment`. See {@link buildComment}.
 */
export function buildCommentsSql(cluster: string | undefined): string {
  return `SELECT DISTINCT Settings['log_comment'] AS comment FROM ${selectProcesses(cluster)}
    WHERE startsWith(Settings['log_comment'], '${BEGINNING}') SETTINGS skip_unavailable_shards = 1`;
}

/**
 * Resolves when no insert with one of these lock numbers is running. The caller must hold the locks, so that
 * no new insert is sent.
 * @throws InsertsLeft
 */
export async function awaitInsertsLeft(
  { database, locks }: { readonly database: string; readonly locks: readonly number[] },
  findComments: () => Promise<readonly string[]>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (let waitMs: number = POLL_MS.first; ; waitMs = Math.min(2 * waitMs, POLL_MS.longest)) {
    const comments = await findComments();
    if (!comments.some((comment) => wasSentUnder(comment, database, locks))) return;
    if (performance.now() + waitMs > endMs) {
      throw new InsertsLeft(
        `After a wait of ${patienceMs / 1000} s, ClickHouse still runs an insert of a server that died or lost its connection. No trace is lost: senders send the traces again.`,
      );
    }
    await pause(waitMs);
  }
}

function wasSentUnder(comment: string, database: string, locks: readonly number[]): boolean {
  const [, under = '', into] = SAID.exec(comment) ?? [];
  return into === database && under.split(',').some((lock) => locks.includes(Number(lock)));
}
