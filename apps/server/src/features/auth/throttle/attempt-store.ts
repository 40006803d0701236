import { and, inArray, lt, notLike, or, sql } from 'drizzle-orm';
import { type ControlDb, loginAttempts } from '../../../platform/control-store/index.ts';
import { type AttemptStore, type Attempts, ENTERED, FORGET_MS } from './login-throttle.ts';

/** How long an IP address from which a user logged in is remembered. */
const ENTERED_MS = 90 * 24 * 3_600_000;
/**
 * Maximum number of stored attempts, about 200 MB. Above this number, the oldest attempts are deleted, so that guesses at made-up accounts
 * cannot fill the disk.
 */
const MAX_ROWS = 1_000_000;

/** Stores attempts in the control store, so that all servers that use this store count together. */
export function createSharedAttempts(db: ControlDb): AttemptStore {
  return {
    change: (account, keys, decide) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${account}, 0))`);
        const { result, changes } = decide(await findAttempts(tx, keys));
        const deleted = [...changes].flatMap(([key, entry]) => (entry === null ? [key] : []));
        if (deleted.length > 0) await tx.delete(loginAttempts).where(inArray(loginAttempts.key, deleted));
        for (const [key, entry] of changes) {
          if (entry === null) continue;
          const set = { count: entry.count, at: new Date(entry.atMs) };
          await tx
            .insert(loginAttempts)
            .values({ key, ...set })
            .onConflictDoUpdate({ target: loginAttempts.key, set });
        }
        return result;
      }),
  };
}

async function findAttempts(tx: ControlDb, keys: readonly string[]): Promise<Map<string, Attempts>> {
  if (keys.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(loginAttempts)
    .where(inArray(loginAttempts.key, [...keys]));
  return new Map(rows.map(({ key, count, at }) => [key, { count, atMs: at.getTime() }]));
}

/** Deletes attempts that no longer count. */
export async function deleteOldAttempts(db: ControlDb, now: Date): Promise<void> {
  const before = (ms: number) => lt(loginAttempts.at, new Date(now.getTime() - ms));
  await db
    .delete(loginAttempts)
    .where(or(before(ENTERED_MS), and(before(FORGET_MS), notLike(loginAttempts.key, `${ENTERED}%`))));
  await db.execute(sql`
    delete from ${loginAttempts} where ${loginAttempts.at} <
      (select ${loginAttempts.at} from ${loginAttempts} order by ${loginAttempts.at} desc offset ${MAX_ROWS} limit 1)`);
}
