import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { routes } from '@throughline/contract';
import { mailTo, signUp, startServer, type TestServer } from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { PUBLIC_URL: 'https://flows.example' } });
});
afterAll(() => server.stop());

/** A pause without statements, longer than the time that a mail waits in the queue. */
const QUIET_MS = 1_500;

/** Returns the SQL of each statement that the embedded store parses after `work` begins, until no new statement has come for a while. */
async function captureStatements(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(PGlite.prototype, 'execProtocolRaw');
  try {
    await work();
    for (let seen = -1; seen < spy.mock.calls.length; ) {
      seen = spy.mock.calls.length;
      await setTimeout(QUIET_MS);
    }
    // A Parse message consists of its type, its length, an empty name, and the SQL.
    return spy.mock.calls.flatMap(([message]) => {
      const bytes = Buffer.from(message);
      return bytes.toString('latin1', 0, 1) === 'P' ? [bytes.toString('utf8', 6).split('\0', 1).join()] : [];
    });
  } finally {
    spy.mockRestore();
  }
}

const statementsFor = (email: string) =>
  captureStatements(() => server.anyone.call(routes.account.forgotPassword, { body: { email } }));

test.runIf(isThorough())(
  'a password-reset request runs the same SQL statements with and without an account until the email is sent',
  async () => {
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
  },
);
