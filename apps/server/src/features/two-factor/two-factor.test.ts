import { routes, TEXTS } from '@throughline/contract';
import {
  awaitMail,
  createFakeClock,
  logIn,
  makeOrganization,
  type Person,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { pickRows } from '@throughline/testkit/thorough';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

const { twoFactor } = routes;

/** Generates the code that an authenticator app shows `steps` half minutes from now. */
const generateCode = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor((clock.now().getTime() + steps * STEP_MS) / 1000) });

const wrongCode = (secret: string) => {
  const right = [-1, 0, 1].map((steps) => generateCode(secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
};

async function withTwoFactor() {
  const person = await signUp(server);
  const setup = await person.client.call(twoFactor.setup, {});
  await person.client.call(twoFactor.verify, { body: { code: generateCode(setup.secret) } });
  // Moves to the next time step, because the code that turned two-factor authentication on is used up.
  clock.advance(STEP_MS);
  return { person, ...setup };
}

async function firstStep({ email, password }: Person): Promise<string> {
  const answer = await server.anyone.call(routes.auth.login, { body: { email, password } });
  if (!('tempToken' in answer)) throw new Error('no second step was asked for');
  return answer.tempToken;
}

const secondStep = (tempToken: string, code: string) =>
  server.anyone.call(routes.auth.verifyLogin, { body: { tempToken, code } });

describe('setting up two-factor authentication', () => {
  test('returns a secret, ten backup codes and a QR code; logins require a code only after the first code was verified', async () => {
    const person = await signUp(server);
    expect(await person.client.call(twoFactor.status, {})).toEqual({
      twoFAEnabled: false,
      backupCodesLeft: 0,
    });
    const { secret, backupCodes, qrCodeUrl } = await person.client.call(twoFactor.setup, {});
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(backupCodes).size).toBe(10);
    expect(qrCodeUrl).toMatch(/^data:image\/png;base64,/);
    await logIn(server, person.email, person.password);
    const wrong = await refusal(person.client.call(twoFactor.verify, { body: { code: wrongCode(secret) } }));
    expect(wrong).toMatchObject({ status: 400, code: 'wrong_code', message: 'Invalid verification code' });
    await person.client.call(twoFactor.verify, { body: { code: generateCode(secret) } });
    expect(await person.client.call(twoFactor.status, {})).toEqual({
      twoFAEnabled: true,
      backupCodesLeft: 10,
    });
    expect((await awaitMail(server, person.email, 'Two-factor')).subject).toContain('turned on');
  });

  test('for a second time returns a new secret, but is rejected once two-factor authentication is on', async () => {
    const person = await signUp(server);
    const first = await person.client.call(twoFactor.setup, {});
    const second = await person.client.call(twoFactor.setup, {});
    expect(second.secret).not.toBe(first.secret);
    const old = await refusal(
      person.client.call(twoFactor.verify, { body: { code: generateCode(first.secret) } }),
    );
    expect(old.code).toBe('wrong_code');
    await person.client.call(twoFactor.verify, { body: { code: generateCode(second.secret) } });
    expect(await refusal(person.client.call(twoFactor.setup, {}))).toMatchObject({
      status: 409,
      code: 'two_factor_enabled',
    });
  });

  test('must come before two-factor authentication can be turned on or off and before backup codes can be renewed', async () => {
    const { client } = await signUp(server);
    const calls = [
      () => client.call(twoFactor.verify, { body: { code: '123456' } }),
      () => client.call(twoFactor.disable, { body: { code: '123456' } }),
      () => client.call(twoFactor.regenerateBackupCodes, {}),
    ];
    for (const call of calls) {
      expect(await refusal(call())).toMatchObject({ status: 409, code: 'two_factor_disabled' });
    }
  });
});

describe('a login', () => {
  test('accepts the current code, and the codes one step before and after', async () => {
    const { person, secret } = await withTwoFactor();
    for (const steps of [0, -1, 1]) {
      clock.advance(3 * STEP_MS);
      const signedIn = await secondStep(await firstStep(person), generateCode(secret, steps));
      expect(signedIn.user).toEqual(person.user);
    }
    clock.advance(3 * STEP_MS);
    for (const steps of [-2, 2]) {
      const error = await refusal(secondStep(await firstStep(person), generateCode(secret, steps)));
      expect(error).toMatchObject({ status: 401, code: 'invalid_code', message: 'Invalid 2FA code' });
    }
  });

  test('never accepts a code twice, nor a code older than the last accepted code, even in concurrent requests', async () => {
    const { person, secret } = await withTwoFactor();
    const code = generateCode(secret);
    const tokens = await Promise.all([1, 2, 3].map(() => firstStep(person)));
    const outcomes = await Promise.allSettled(tokens.map((token) => secondStep(token, code)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const older = await refusal(secondStep(await firstStep(person), generateCode(secret, -1)));
    expect(older.code).toBe('invalid_code');
  });

  test('accepts each backup code once, however it is typed', async () => {
    const { person, backupCodes } = await withTwoFactor();
    const [code = ''] = backupCodes;
    await secondStep(await firstStep(person), ` ${code.toLowerCase().replace('-', ' ')} `);
    expect((await refusal(secondStep(await firstStep(person), code))).code).toBe('invalid_code');
    expect(await person.client.call(twoFactor.status, {})).toMatchObject({ backupCodesLeft: 9 });
  });

  test('allows five codes within five minutes, and its temporary token can be used once', async () => {
    const { person, secret } = await withTwoFactor();
    const tried = await firstStep(person);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await refusal(secondStep(tried, wrongCode(secret)))).code).toBe('invalid_code');
    }
    const expired = { status: 401, code: 'login_expired', message: TEXTS.loginExpired };
    expect(await refusal(secondStep(tried, generateCode(secret)))).toMatchObject(expired);
    const late = await firstStep(person);
    clock.advance(5 * MINUTE_MS + 1000);
    expect(await refusal(secondStep(late, generateCode(secret)))).toMatchObject(expired);
    const used = await firstStep(person);
    await secondStep(used, generateCode(secret));
    clock.advance(STEP_MS);
    expect(await refusal(secondStep(used, generateCode(secret)))).toMatchObject(expired);
    expect(await refusal(secondStep('nonsense', generateCode(secret)))).toMatchObject(expired);
  });

  test('limits the rate of guessed codes, even if the password is right', async () => {
    const { person, secret } = await withTwoFactor();
    let refused = 0;
    for (let login = 0; login < 3; login += 1) {
      const token = await firstStep(person);
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const error = await refusal(secondStep(token, wrongCode(secret)));
        if (error.code === 'too_many_requests') refused += 1;
      }
    }
    expect(refused).toBe(5);
    clock.advance(MINUTE_MS);
    await secondStep(await firstStep(person), generateCode(secret));
  });

  test('creates no session before the second factor is checked', async () => {
    const { person } = await withTwoFactor();
    const token = await firstStep(person);
    expect(await refusal(server.as(token).call(routes.auth.session, {}))).toMatchObject({ status: 401 });
  });
});

describe('turning two-factor authentication off', () => {
  test.each(pickRows(['code', 'backupCode'] as const, { usually: 1 }))('accepts a %s', async (by) => {
    const { person, secret, backupCodes } = await withTwoFactor();
    const body =
      by === 'code'
        ? { code: generateCode(secret), backupCode: '' }
        : { code: '', backupCode: backupCodes[3] };
    await person.client.call(twoFactor.disable, { body });
    expect(await person.client.call(twoFactor.status, {})).toMatchObject({ twoFAEnabled: false });
    await logIn(server, person.email, person.password);
    expect((await awaitMail(server, person.email, 'turned off')).text).toContain(person.user.name);
  });

  test('rejects a wrong code with the message that the screen shows', async () => {
    const { person, secret } = await withTwoFactor();
    for (const body of [{ code: wrongCode(secret) }, { backupCode: 'AAAAA-AAAAA' }]) {
      expect(await refusal(person.client.call(twoFactor.disable, { body }))).toMatchObject({
        status: 400,
        code: 'wrong_code',
        message: 'Invalid code or backup code',
      });
    }
    const neither = await refusal(
      person.client.call(twoFactor.disable, { body: { code: '', backupCode: '' } }),
    );
    expect(neither).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

test('new backup codes replace the old ones, and the user is notified by email', async () => {
  const { person, backupCodes } = await withTwoFactor();
  const fresh = await person.client.call(twoFactor.regenerateBackupCodes, {});
  expect((await refusal(secondStep(await firstStep(person), backupCodes[0] ?? ''))).code).toBe(
    'invalid_code',
  );
  await secondStep(await firstStep(person), fresh.backupCodes[0] ?? '');
  const mail = await awaitMail(server, person.email, 'backup codes were renewed');
  expect(mail.text).toContain('the old ones expired, from the IP address 127.0.0.1.');
});

test("all changes of two-factor authentication are recorded in the organization's audit log", async () => {
  const { owner, organization } = await makeOrganization(server);
  const { secret } = await owner.client.call(twoFactor.setup, {});
  await owner.client.call(twoFactor.verify, { body: { code: generateCode(secret) } });
  await owner.client.call(twoFactor.regenerateBackupCodes, {});
  clock.advance(STEP_MS);
  await owner.client.call(twoFactor.disable, { body: { code: generateCode(secret) } });
  const { entries } = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
  expect(entries.slice(0, 3).map((entry) => entry.action)).toEqual([
    'member.two_factor_disabled',
    'member.backup_codes_renewed',
    'member.two_factor_enabled',
  ]);
});
