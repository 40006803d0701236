import { startPostgres, type TestPostgres } from '@throughline/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locks } from '../queues/locks.ts';
import { type ControlStore, openControlStore } from './index.ts';

let postgres: TestPostgres;
const stores: ControlStore[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('alone');
  for (let server = 0; server < 3; server += 1)
    stores.push(await openControlStore({ databaseUrl, dataDir: 'unused' }));
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await postgres.stop();
});

const store = (place: number): ControlStore => {
  const found = stores[place];
  if (found === undefined) throw new Error('there are three servers');
  return found;
};
const rest = () => new Promise((resolve) => setTimeout(resolve, 5));

test('only one server at a time runs a task under a lock, even if tasks take several locks in different orders', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const busy = new Map<string, number>();
  const most = new Map<string, number>();
  const run = (server: ControlStore, own: readonly string[]) =>
    server.alone(own, async () => {
      for (const name of own) {
        busy.set(name, (busy.get(name) ?? 0) + 1);
        most.set(name, Math.max(most.get(name) ?? 0, busy.get(name) ?? 0));
      }
      await rest();
      for (const name of own) busy.set(name, (busy.get(name) ?? 0) - 1);
      return own.length;
    });
  const chosen = Array.from({ length: 60 }, (_run, index) => {
    const some = names.filter((_name, place) => ((index % 15) + 1) & (1 << place));
    return index % 2 === 0 ? some : some.toReversed();
  });
  const done = await Promise.all(chosen.map((own, index) => run(store(index % 3), own)));
  expect(done).toEqual(chosen.map(({ length }) => length));
  expect([...most]).toEqual(expect.arrayContaining(names.map((name) => [name, 1])));
});

test('an error of a task is rethrown, and the next task runs', async () => {
  const failing = store(0).alone(['a'], () => Promise.reject(new Error('the disk is full')));
  await expect(failing).rejects.toThrow('the disk is full');
  expect(await store(1).alone(['a'], async () => 'done')).toBe('done');
});

test('a task can find out that a lost connection released the lock of the task, and the result of the task is still returned', async () => {
  let begin: (locks: Locks) => void = () => {};
  const begun = new Promise<Locks>((resolve) => {
    begin = resolve;
  });
  let finish: (value: string) => void = () => {};
  const outcome = new Promise<string>((resolve) => {
    finish = resolve;
  });
  let result: string | undefined;
  const running = store(0)
    .alone(['a'], (locks) => {
      begin(locks);
      return outcome;
    })
    .then((value) => {
      result = value;
    });
  const { check } = await begun;
  await check();
  await store(1).db.execute(
    sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted`,
  );
  expect(await store(1).alone(['a'], async () => 'done')).toBe('done');
  expect(result).toBeUndefined();
  await expect(check()).rejects.toThrow();
  finish('stored');
  await running;
  expect(result).toBe('stored');
  expect(await store(0).alone(['a'], async () => 'again')).toBe('again');
});

test("a task that cannot start because the store is unreachable rejects with the store's error", async () => {
  await postgres.goAway();
  let begun = false;
  const refused = store(2).alone(['a'], async () => {
    begun = true;
  });
  await expect(refused).rejects.toThrow();
  expect(begun).toBe(false);
  await postgres.comeBack();
});
