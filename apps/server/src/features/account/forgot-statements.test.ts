import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { routes } from '@throughline/contract';
import { createFakeClock, mailTo, signUp, startServer, type TestServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ControlStore, openControlStore, users } from '../../platform/control-store/index.ts';
import { createId, type UserId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/index.ts';
import { createPasswords } from './passwords.ts';

/** Returns the SQL of each statement that PGlite, the embedded control store, parses while `work` runs. */
async function captureParsed(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(PGlite.prototype, 'execProtocolRaw');
  try {
    await work();
    // A Parse message of PostgreSQL's protocol consists of its type, its length, an empty name, and the SQL.
    return spy.mock.calls.flatMap(([message]) => {
      const bytes = Buffer.from(message);
      return bytes.toString('latin1', 0, 1) === 'P' ? [bytes.toString('utf8', 6).split('\0', 1).join()] : [];
    });
  } finally {
    spy.mockRestore();
  }
}

describe('a password-reset request', () => {
  let dataDir: string;
  let control: ControlStore;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'throughline-forgot-'));
    await putStores(dataDir);
    control = await openControlStore({ databaseUrl: undefined, dataDir });
    const ada = { id: createId<UserId>(), name: 'Ada', email: 'ada@test.example', passwordHash: 'x' };
    await control.db.insert(users).values({ ...ada, createdAt: new Date() });
  });
  afterAll(async () => {
    await control.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('runs the same SQL statements, and queues a mail, with and without an account', async () => {
    const mails: Mail[] = [];
    const unused = new Proxy({}, { get: () => () => {} }) as never;
    const passwords = createPasswords({
      control,
      clock: createFakeClock(),
      log: createLog('fatal'),
      mail: {
        ...(unused as object),
        send: async (_db: unknown, mail: Mail) => mails.push(mail) > 0,
      } as never,
      publicUrl: () => 'https://flows.example',
      accessTokens: unused,
      addresses: unused,
      auth: unused,
      audit: unused,
    });
    const statementsFor = (email: string) =>
      captureParsed(() => {
        passwords.forgot(email);
        return passwords.close();
      });
    const known = await statementsFor('ada@test.example');
    expect(known).toHaveLength(3);
    expect(await statementsFor('nobody@test.example')).toEqual(known);
    expect(mails).toMatchObject([
      { to: 'ada@test.example', isDecoy: false },
      { to: 'nobody@test.example', isDecoy: true },
    ]);
  });
});

describe.runIf(isThorough())('until its email is sent, a password-reset request', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { PUBLIC_URL: 'https://flows.example' } });
  });
  afterAll(() => server.stop());

  /** A capture ends after a pause of this length without statements. The pause is longer than the time that a mail waits in the queue. */
  const QUIET_MS = 1_500;

  /**
   * Returns the statements of `work` and of the background jobs that `work` starts. Ends once `QUIET_MS` have passed without a new
   * statement.
   */
  const captureStatements = (work: () => Promise<unknown>) =>
    captureParsed(async () => {
      const spy = vi.mocked(PGlite.prototype.execProtocolRaw);
      await work();
      for (let seen = -1; seen < spy.mock.calls.length; ) {
        seen = spy.mock.calls.length;
        await setTimeout(QUIET_MS);
      }
    });

  const statementsFor = (email: string) =>
    captureStatements(() => server.anyone.call(routes.account.forgotPassword, { body: { email } }));

  test('runs the same SQL statements with and without an account', async () => {
    // Repeats the comparison if a background job of the server ran during one of the two captures.
    await vi.waitFor(
      async () => {
        const person = await signUp(server);
        await captureStatements(() => mailTo(server, person.email));
        const known = await statementsFor(person.email);
        expect(known.length).toBeGreaterThan(8);
        expect(await statementsFor('nobody-at-all@test.example')).toEqual(known);
      },
      { timeout: 90_000, interval: 0 },
    );
    expect(await mailTo(server, 'nobody-at-all@test.example')).toEqual([]);
  });
});
