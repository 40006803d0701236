import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type TestPostgres } from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { selectRawRows } from '../../platform/control-store/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import { type DigestScene, startDigestScene } from './fixtures/scene.ts';

describe.runIf(isThorough())('servers that share PostgreSQL', () => {
  let postgres: TestPostgres;
  let scene: DigestScene;
  beforeAll(async () => {
    postgres = await startPostgres();
    scene = await startDigestScene({ databaseUrl: await postgres.createDatabase('digest') });
  });
  afterAll(async () => {
    await scene.stop();
    await postgres.stop();
  });

  test('send a digest once if a server that has locked the row of the digest is killed while another server waits for the row', async () => {
    await scene.addProject({ userId: await scene.addUser('Ada') }, 'shop', 10);
    let die = (_reason: Error) => {};
    const reached = Promise.withResolvers<void>();
    const mail: Pick<Mailer, 'send'> = {
      send: () =>
        new Promise((_resolve, reject) => {
          die = reject;
          reached.resolve();
        }),
    };
    const killed = scene.startOne({ mail }).run();
    await reached.promise;
    const waiting = scene.startOne().run();
    const countWaiting = async () => {
      const waits = sql`select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'`;
      const [found] = await selectRawRows(scene.db, z.object({ waiting: z.number() }), waits);
      return found?.waiting ?? 0;
    };
    while ((await countWaiting()) === 0) await sleep(20);
    await scene.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'`,
    );
    die(new Error('the server was killed'));
    await Promise.all([killed, waiting]);
    await scene.settle();
    expect(scene.received()).toHaveLength(1);
    expect(await scene.weeks()).toHaveLength(1);
  });
});
