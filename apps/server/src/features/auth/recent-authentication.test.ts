import { routes } from '@throughline/contract';
import {
  createFakeClock,
  join,
  logIn,
  makeOrganization,
  type Person,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

const { account, auth, orgs, twoFactor } = routes;

const generateCode = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
const confirm = (client: Person['client'], body: { password?: string; code?: string }) =>
  client.call(auth.confirm, { body });
const required = (confirmWith: 'password' | 'code') => ({
  status: 403,
  code: 'reauthentication_required',
  details: { confirmWith },
});

/** Returns one call of each route that requires recent authentication. An organization's owner makes the calls. */
async function protectedCalls() {
  const { owner, organization } = await makeOrganization(server);
  const heir = await join(server, owner, organization);
  const { client } = owner;
  const calls = {
    changeEmail: () =>
      client.call(account.updateProfile, { body: { name: 'A', email: `new-${owner.email}` } }),
    setUpTwoFactor: () => client.call(twoFactor.setup, {}),
    renewBackupCodes: () => client.call(twoFactor.regenerateBackupCodes, {}),
    transferOwnership: () =>
      client.call(orgs.transferOwnership, {
        params: { id: organization.id },
        body: { userId: heir.user.id },
      }),
    deleteAccount: () => client.call(account.remove, {}),
  };
  return { owner, organization, calls };
}

describe('a session whose login is older than 15 minutes', () => {
  test('cannot change the email address, two-factor authentication or the owner, nor delete the account', async () => {
    const { owner, calls } = await protectedCalls();
    clock.advance(15 * MINUTE_MS + 1);
    for (const [what, call] of Object.entries(calls)) {
      expect(await refusal(call()), what).toMatchObject(required('password'));
    }
    const { user, organization } = await owner.client.call(auth.session, {});
    expect([user.email, organization?.role]).toEqual([owner.email, 'owner']);
    expect(await owner.client.call(twoFactor.status, {})).toMatchObject({ twoFAEnabled: false });
  });

  test('can make protected changes for 15 minutes after the password is confirmed', async () => {
    const { owner, calls } = await protectedCalls();
    clock.advance(60 * MINUTE_MS);
    await confirm(owner.client, { password: owner.password });
    clock.advance(15 * MINUTE_MS);
    await calls.setUpTwoFactor();
    expect((await refusal(calls.renewBackupCodes())).code).toBe('two_factor_disabled');
    await calls.changeEmail();
    await calls.transferOwnership();
    clock.advance(1);
    expect(await refusal(calls.setUpTwoFactor())).toMatchObject(required('password'));
  });

  test('stays valid, and can still change the name and the password and end sessions', async () => {
    const person = await signUp(server);
    clock.advance(60 * MINUTE_MS);
    const body = { name: 'Another Name', email: person.email.toUpperCase() };
    expect((await person.client.call(account.updateProfile, { body })).user.name).toBe('Another Name');
    await person.client.call(account.endOtherSessions, {});
    const passwords = { currentPassword: person.password, newPassword: 'a longer one' };
    await person.client.call(account.changePassword, { body: passwords });
  });

  test('still cannot make protected changes after a login or a confirmation in another session', async () => {
    const person = await signUp(server);
    clock.advance(60 * MINUTE_MS);
    const fresh = await logIn(server, person.email, person.password);
    await confirm(fresh.client, { password: person.password });
    await fresh.client.call(twoFactor.setup, {});
    expect(await refusal(person.client.call(twoFactor.setup, {}))).toMatchObject(required('password'));
  });
});

describe('confirming one’s identity', () => {
  test('with a wrong password is refused, and counts towards the limit of login attempts', async () => {
    const person = await signUp(server);
    clock.advance(60 * MINUTE_MS);
    const guesses: string[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      guesses.push((await refusal(confirm(person.client, { password: 'a guess' }))).code);
      guesses.push((await refusal(logIn(server, person.email, 'a guess'))).code);
    }
    expect(guesses.filter((code) => code === 'wrong_password')).toHaveLength(5);
    expect(guesses.filter((code) => code === 'invalid_credentials')).toHaveLength(5);
    expect(guesses.slice(-2)).toEqual(['too_many_requests', 'too_many_requests']);
    expect(await refusal(person.client.call(twoFactor.setup, {}))).toMatchObject(required('password'));
  });

  test('requires a session, and either a password or a code', async () => {
    const person = await signUp(server);
    for (const body of [{}, { password: '' }, { password: person.password, code: '123456' }]) {
      expect(await refusal(confirm(person.client, body))).toMatchObject({
        status: 400,
        code: 'validation_failed',
        message: 'Enter your password or a code',
      });
    }
    expect(await refusal(confirm(server.anyone, { password: person.password }))).toMatchObject({
      status: 401,
    });
  });

  test('requires a code or a backup code instead of the password if two-factor authentication is on', async () => {
    const person = await signUp(server);
    const { secret, backupCodes } = await person.client.call(twoFactor.setup, {});
    await person.client.call(twoFactor.verify, { body: { code: generateCode(secret) } });
    const renew = () => person.client.call(twoFactor.regenerateBackupCodes, {});
    clock.advance(60 * MINUTE_MS);
    expect(await refusal(renew())).toMatchObject(required('code'));
    expect(await refusal(confirm(person.client, { password: person.password }))).toMatchObject(
      required('code'),
    );
    expect(await refusal(confirm(person.client, { code: 'AAAAA-AAAAA' }))).toMatchObject({
      status: 400,
      code: 'wrong_code',
    });
    const code = generateCode(secret);
    await confirm(person.client, { code });
    const fresh = await renew();
    clock.advance(16 * MINUTE_MS);
    expect((await refusal(confirm(person.client, { code }))).code).toBe('wrong_code');
    expect((await refusal(confirm(person.client, { code: backupCodes[0] ?? '' }))).code).toBe('wrong_code');
    await confirm(person.client, { code: fresh.backupCodes[0] ?? '' });
    await renew();
  });

  test("is recorded in the organization's audit log, whether it succeeds or fails", async () => {
    const { owner, organization } = await makeOrganization(server);
    await refusal(confirm(owner.client, { password: 'not it' }));
    await confirm(owner.client, { password: owner.password });
    const { entries } = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
    expect(entries.slice(0, 2).map(({ action, actor }) => [action, actor?.email])).toEqual([
      ['member.confirmed', owner.email],
      ['member.confirmation_failed', owner.email],
    ]);
  });
});
