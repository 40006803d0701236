import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { storesOfFile } from '@throughline/testkit/stores';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  errorMerges,
  errorSplits,
  errorStates,
  projects,
  users,
} from '../../../platform/control-store/index.ts';
import { createId, type ProjectId, type UserId } from '../../../platform/ids.ts';
import { createExpiredSplits } from './expired-splits.ts';

const stores = storesOfFile();
const newErrorId = () => randomBytes(16).toString('hex');
const OF_PRICE = newErrorId();
const OTHER = newErrorId();
const MIGRATION = new URL(
  '../../../platform/control-store/migrations/0028_decided_splits.sql',
  import.meta.url,
);

/** Adds projects, in the order of their ids. Each project has a split error without traces. */
async function addProjects(count: number) {
  const { db } = stores.control;
  const userId = createId<UserId>();
  const now = new Date();
  await db.insert(users).values({
    ...{ id: userId, name: 'Ada', email: `${userId}@test.example`, passwordHash: '' },
    ...{ emailVerifiedAt: now, createdAt: now },
  });
  const ids = Array.from({ length: count }, () => createId<ProjectId>());
  const splitId = newErrorId();
  for (const id of ids) {
    await db.insert(projects).values({ id, userId, name: 'p', description: '', createdAt: now });
    await db
      .insert(errorSplits)
      .values({ projectId: id, errorId: splitId, firstId: newErrorId(), splitAt: now });
  }
  return { db, ids };
}

async function listLeft() {
  const rows = await stores.control.db.select({ id: errorSplits.projectId }).from(errorSplits);
  return rows.map(({ id }) => id).toSorted();
}

test('each sweep examines a limited number of projects, and the next sweep continues with the following projects', async () => {
  const { db, ids } = await addProjects(5);
  const [first] = ids;
  await db
    .update(errorSplits)
    .set({ decidedIds: [OF_PRICE] })
    .where(eq(errorSplits.projectId, first ?? expect.fail()));
  const decision = { errorId: OF_PRICE, state: 'ignored' as const, note: '', changedAt: new Date() };
  await db.insert(errorStates).values({ projectId: first ?? expect.fail(), ...decision });
  const sweep = createExpiredSplits({ control: stores.control, store: stores.traces }, 2);
  await sweep();
  expect(await listLeft()).toEqual([ids[0], ...ids.slice(2)]);
  await sweep();
  expect(await listLeft()).toEqual([ids[0], ids[4]]);
  await sweep();
  await sweep();
  expect(await listLeft()).toEqual([ids[0]]);
  await db.delete(errorSplits);
});

test('a split that an earlier version stored is not deleted while the project has decisions or merges of that version', async () => {
  const { db, ids } = await addProjects(4);
  const [decided, merged, target] = ids.map((id) => id ?? expect.fail());
  if (decided === undefined || merged === undefined || target === undefined) expect.fail();
  const [errorId, changedAt] = [newErrorId(), new Date()];
  await db
    .insert(errorStates)
    .values({ projectId: decided, errorId, state: 'resolved', note: '', changedAt });
  for (const [projectId, ends] of [
    [merged, { errorId, targetId: OTHER }],
    [target, { errorId: OTHER, targetId: errorId }],
  ] as const) {
    await db.insert(errorMerges).values({ projectId, ...ends, mergedAt: changedAt });
  }
  const migration = await readFile(MIGRATION, 'utf8');
  for (const statement of migration.split('--> statement-breakpoint')) {
    if (statement.trim().startsWith('UPDATE')) await db.execute(sql.raw(statement));
  }
  const sweep = createExpiredSplits({ control: stores.control, store: stores.traces });
  await sweep();
  expect(await listLeft()).toEqual([decided, merged, target]);
  await db.delete(errorStates);
  await db.delete(errorMerges);
  await sweep();
  expect(await listLeft()).toEqual([]);
});
