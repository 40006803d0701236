/**
 * Whoever dies while ClickHouse runs its insert, or is cut off from it, holds its locks no more, and the insert goes on: whoever has the locks
 * next would not find the rows yet, and store them once more. So inserts say under which locks they were sent, and the next one to hold any of
 * them lets them end first. They say it in `log_comment`, which goes along to the shards of a cluster and which `system.processes` shows; the
 * name of a statement (`query_id`) is another one on each shard.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { selectProcesses } from './all-nodes.ts';

/** An insert of one who no longer holds the locks under which it was sent still runs. */
class InsertsLeft extends Error {
  override readonly name = 'InsertsLeft';
}

/** The longest wait; as long as for the locks themselves. */
const PATIENCE_MS = 10_000;
const POLL_MS = { first: 5, longest: 100 } as const;

const BEGINNING = 'throughline insert under locks ';
const SAID = /^throughline insert under locks ([\d,]+) into (.*)$/s;

/** What an insert says: the database too, since several may be on one server, and a shard does not show which one was asked. */
export function buildComment(database: string, locks: readonly number[]): string {
  return `${BEGINNING}${locks.join()} into ${database}`;
}

/** The comments of all inserts that run, as rows of `comment`. See {@link buildComment}. */
export function commentsSql(cluster: string | undefined): string {
  return `SELECT DISTINCT Settings['log_comment'] AS comment FROM ${selectProcesses(cluster)}
    WHERE startsWith(Settings['log_comment'], '${BEGINNING}') SETTINGS skip_unavailable_shards = 1`;
}

/**
 * Resolves once no insert runs that was sent under one of these locks. Only for who holds them: then nobody sends a new one.
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
        `ClickHouse still runs an insert of a server that died or was cut off; it was waited for ${patienceMs / 1000} s. Nothing is lost: senders come again.`,
      );
    }
    await pause(waitMs);
  }
}

function wasSentUnder(comment: string, database: string, locks: readonly number[]): boolean {
  const [, under = '', into] = SAID.exec(comment) ?? [];
  return into === database && under.split(',').some((lock) => locks.includes(Number(lock)));
}
