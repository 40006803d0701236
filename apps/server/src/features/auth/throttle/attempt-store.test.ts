import { createFakeClock, startPostgres, type TestPostgres } from '@throughline/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ControlStore, loginAttempts, openControlStore } from '../../../platform/control-store/index.ts';
import { createSharedAttempts, deleteOldAttempts } from './attempt-store.ts';
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let postgres: TestPostgres;
let stores: ControlStore[];
let clock = createFakeClock();
/** The throttles of two servers on one control store. */
let throttles: LoginThrottle[];
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('attempts');
  stores = [];
  for (let server = 0; server < 2; server += 1)
    stores.push(await openControlStore({ databaseUrl, dataDir: '' }));
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await postgres.stop();
});
beforeEach(async () => {
  await first().db.delete(loginAttempts);
  clock = createFakeClock();
  throttles = stores.map(({ db }) => createLoginThrottle(clock, createSharedAttempts(db), 'password'));
});

function first(): ControlStore {
  const [store] = stores;
  if (store === undefined) throw new Error('no store');
  return store;
}

/** Sends concurrent guesses, alternating between the servers. Returns the number of allowed guesses. */
async function guess(times: number, address = '10.0.0.1'): Promise<number> {
  const waits = await Promise.all(
    Array.from({ length: times }, (_, turn) =>
      throttles[turn % throttles.length]?.attempt('ada@test.example', address),
    ),
  );
  return waits.filter((waitMs) => waitMs === 0).length;
}

test('concurrent guesses at two servers are counted together', async () => {
  expect(await guess(40)).toBe(10);
  clock.advance(MINUTE_MS);
  expect(await guess(10)).toBe(1);
});

test('a login at one server resets the attempts at another server, and the other server then knows the IP address of the login', async () => {
  await guess(10);
  await throttles[0]?.succeeded('ada@test.example', '10.0.0.1');
  expect(await guess(40, '10.6.6.6')).toBe(10);
  expect(await throttles[1]?.attempt('ada@test.example', '10.0.0.1')).toBe(0);
});

test('guesses of codes and guesses of passwords are counted separately', async () => {
  await guess(10);
  const codes = createLoginThrottle(clock, createSharedAttempts(first().db), 'code');
  expect(await codes.attempt('ada@test.example', '10.0.0.1')).toBe(0);
});

test('email addresses of login attempts are not stored', async () => {
  await guess(1);
  const rows = await first().db.select().from(loginAttempts);
  expect(rows.length).toBe(2);
  expect(JSON.stringify(rows)).not.toContain('ada');
});

test('attempts are deleted after an hour, and IP addresses of logins after 90 days', async () => {
  await guess(3);
  await throttles[0]?.succeeded('bob@test.example', '10.0.0.2');
  const count = async () => (await first().db.select().from(loginAttempts)).length;
  await deleteOldAttempts(first().db, clock.now());
  expect(await count()).toBe(3);
  clock.advance(61 * MINUTE_MS);
  await deleteOldAttempts(first().db, clock.now());
  expect(await count()).toBe(1);
  clock.advance(91 * DAY_MS);
  await deleteOldAttempts(first().db, clock.now());
  expect(await count()).toBe(0);
});
