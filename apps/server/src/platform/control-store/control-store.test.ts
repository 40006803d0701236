import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putControlStore, startPostgres, type TestPostgres } from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createId, type UserId } from '../ids.ts';
import { type ControlStore, openControlStore, users, violatesConstraint } from './index.ts';

let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-control-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const aUser = (email: string) => ({
  id: createId<UserId>(),
  name: 'Größe 🚀',
  email,
  passwordHash: 'x',
  createdAt: new Date('2026-02-03T04:05:06.789Z'),
});

/** Waits for an effect of another connection; limited by the test's timeout. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

let databases = 0;
const engines = {
  PGlite: async () => {
    await putControlStore(folder);
    return { databaseUrl: undefined, dataDir: folder };
  },
  PostgreSQL: async () => {
    databases += 1;
    return { databaseUrl: await postgres.createDatabase(`control_${databases}`), dataDir: folder };
  },
};

describe.each(Object.entries(engines))('on %s', (_name, place) => {
  test('stored data is still there after reopening, and the second start does not create the tables again', async () => {
    const config = await place();
    const first = await openControlStore(config);
    const user = aUser('a@test.example');
    await first.db.insert(users).values(user);
    await first.close();
    const second = await openControlStore(config);
    expect(await second.db.select().from(users)).toEqual([
      { ...user, demo: false, emailVerifiedAt: null, lastActiveAt: null },
    ]);
    await second.ping();
    await second.close();
  });

  test.runIf(isThorough())('a duplicate value is recognized by the name of its constraint', async () => {
    const store = await openControlStore(await place());
    await store.db.insert(users).values(aUser('a@test.example'));
    const error = await store.db
      .insert(users)
      .values(aUser('a@test.example'))
      .catch((reason) => reason);
    expect(violatesConstraint(error, 'users_email')).toBe(true);
    expect(violatesConstraint(error, 'users_pkey')).toBe(false);
    await store.close();
  });

  test.runIf(isThorough())('a failed transaction stores nothing', async () => {
    const { db, close } = await openControlStore(await place());
    const user = aUser('a@test.example');
    const failing = db.transaction(async (tx) => {
      await tx.insert(users).values(user);
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(await db.$count(users, eq(users.id, user.id))).toBe(0);
    await close();
  });

  test('notifications reach only their channel, in order', async () => {
    const store = await openControlStore(await place());
    const heard: string[] = [];
    await store.listen('one', (payload) => heard.push(payload));
    await store.notify('other', 'x');
    for (const payload of ['a', 'ü', "it's"]) await store.notify('one', payload);
    await until(() => heard.length >= 3);
    expect(heard).toEqual(['a', 'ü', "it's"]);
    await store.close();
  });
});

test('servers that start together on an empty database all find its tables', async () => {
  const config = await engines.PostgreSQL();
  const stores: ControlStore[] = await Promise.all(Array.from({ length: 4 }, () => openControlStore(config)));
  await stores[0]?.db.insert(users).values(aUser('a@test.example'));
  for (const store of stores) {
    expect(await store.db.$count(users)).toBe(1);
    await store.close();
  }
});
