import { isNull, sql } from 'drizzle-orm';
import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { ControlDb } from './control-store.ts';
import { selectRawRows } from './raw-rows.ts';
import { apiKeys, users } from './tables/schema.ts';

/**
 * A single row, written at the first complete start: the installation's id and a fingerprint of its secret.
 */
export const installations = pgTable('installations', {
  only: boolean('only').primaryKey().default(true),
  id: uuid('id').notNull(),
  /** A fingerprint of the secret: shows whether the secret changed, but does not reveal it. */
  secretMark: text('secret_mark').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 6, mode: 'date' }).notNull(),
});

type Installation = Pick<typeof installations.$inferSelect, 'id' | 'secretMark'>;

/**
 * Returns the installation's row. Returns undefined if there is none, or if the table does not exist yet, as in a new store that a
 * read-only command opens.
 */
export async function findInstallation(db: ControlDb): Promise<Installation | undefined> {
  if (!(await hasTable(db, 'installations'))) return undefined;
  const [row] = await db.select().from(installations).limit(1);
  return row;
}

/** Stores the row unless another server stored one first. Returns the stored row. */
export async function insertInstallation(
  db: ControlDb,
  row: Omit<typeof installations.$inferInsert, 'only'>,
): Promise<Installation> {
  await db.insert(installations).values(row).onConflictDoNothing();
  const stored = await findInstallation(db);
  if (stored === undefined) throw new Error('the installation was removed while it was stored');
  return stored;
}

export async function hasAccounts(db: ControlDb): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** Returns some of the current API keys, encrypted, each with the `place` that is needed to decrypt the key. */
export async function findSealedKeys(db: ControlDb): Promise<{ sealed: string; place: string }[]> {
  if (!(await hasTable(db, 'api_keys'))) return [];
  return db
    .select({ sealed: apiKeys.sealedKey, place: apiKeys.projectId })
    .from(apiKeys)
    .where(isNull(apiKeys.endsAt))
    .limit(20);
}

async function hasTable(db: ControlDb, name: 'installations' | 'api_keys'): Promise<boolean> {
  const [found] = await selectRawRows(
    db,
    z.object({ there: z.boolean() }),
    sql`select to_regclass(${name}) is not null as there`,
  );
  return found?.there === true;
}
