import { startPostgres, type TestPostgres } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { type ControlStore, openControlStore } from '../../platform/control-store/index.ts';
import { createId, type SessionId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createSessionWatch, type SessionWatch } from './session-watch.ts';
import { insertSession, insertUser } from './store.ts';

let postgres: TestPostgres;
const stores: ControlStore[] = [];
const watches: SessionWatch[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('sessions');
  for (const _server of [1, 2]) {
    const control = await openControlStore({ databaseUrl, dataDir: '' });
    stores.push(control);
    watches.push(await createSessionWatch({ control, clock: systemClock, log: createLog('silent') }));
  }
});
afterAll(async () => {
  for (const watch of watches) await watch.close();
  for (const store of stores) await store.close();
  await postgres.stop();
});

async function aSession(): Promise<SessionId> {
  const [store] = stores;
  if (store === undefined) throw new Error('no store');
  const now = systemClock.now();
  const email = `${crypto.randomUUID()}@test.example`;
  const user = await insertUser(store.db, {
    name: 'A',
    email,
    emailVerifiedAt: null,
    passwordHash: 'x',
    now,
  });
  return insertSession(store.db, {
    userId: user.id,
    tokenHash: email,
    now,
    address: '127.0.0.1',
    device: null,
  });
}

test("the end of a session is reported once on every server, to the session's own listeners", async () => {
  const [here, there] = watches;
  const [ended, other] = [await aSession(), createId<SessionId>()];
  const notified: string[] = [];
  const elsewhere = new Promise<void>((resolve) => {
    there?.onEnded(ended, () => {
      notified.push('there');
      resolve();
    });
  });
  here?.onEnded(ended, () => notified.push('here'));
  here?.onEnded(other, () => notified.push('another session'));
  const stop = here?.onEnded(ended, () => notified.push('no longer listening'));
  stop?.();
  await here?.announce(ended);
  await elsewhere;
  await here?.announce(ended);
  expect(notified.sort()).toEqual(['here', 'there']);
});
