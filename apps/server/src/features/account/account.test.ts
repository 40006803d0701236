import { routes, TEXTS } from '@throughline/contract';
import {
  aTrace,
  awaitMail,
  createFakeClock,
  join,
  logIn,
  mailTo,
  makeOrganization,
  makeProject,
  refusal,
  sendTraces,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock, env: { PUBLIC_URL: 'https://flows.example' } });
});
afterAll(() => server.stop());

const { account, auth } = routes;

describe('the profile', () => {
  test('accepts a new name, but rejects a name with line breaks', async () => {
    const person = await signUp(server);
    const body = { name: 'New Name', email: person.email };
    const { user } = await person.client.call(account.updateProfile, { body });
    expect(user).toMatchObject({ id: person.user.id, name: 'New Name', email: person.email });
    const broken = { name: 'A\r\nBcc: all@test.example', email: person.email };
    const error = await refusal(person.client.call(account.updateProfile, { body: broken }));
    expect(error).toMatchObject({ status: 400, details: { fields: [{ path: 'name' }] } });
  });
});

describe('a password', () => {
  const change = (
    client: { call: (typeof server.anyone)['call'] },
    currentPassword: string,
    newPassword: string,
  ) => client.call(account.changePassword, { body: { currentPassword, newPassword } });

  test('can be changed only with the current password; all other sessions end, and the user gets an email', async () => {
    const person = await signUp(server);
    const other = await logIn(server, person.email, person.password);
    const wrong = await refusal(change(person.client, 'not it', 'a longer one'));
    expect(wrong).toMatchObject({ status: 400, code: 'wrong_password' });
    const short = await refusal(change(person.client, person.password, '1234567'));
    expect(short).toMatchObject({ status: 400, message: 'Password must be at least 8 characters long' });
    const answer = await change(person.client, person.password, 'a longer one');
    expect(answer.message).toBe('Password updated successfully!');
    await person.client.call(auth.session, {});
    expect(await refusal(other.client.call(auth.session, {}))).toMatchObject({ status: 401 });
    expect(await refusal(logIn(server, person.email, person.password))).toMatchObject({ status: 401 });
    await logIn(server, person.email, 'a longer one');
    await awaitMail(server, person.email, 'password was changed');
  });

  test('cannot be guessed from an unattended session, because attempts are limited', async () => {
    const person = await signUp(server);
    const guesses = await Promise.all(
      Array.from({ length: 15 }, () => refusal(change(person.client, 'a guess', 'a longer one'))),
    );
    expect(guesses.filter((error) => error.code === 'too_many_requests')).toHaveLength(5);
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string) => server.anyone.call(account.forgotPassword, { body: { email } });
  const reset = (token: string, newPassword = 'brand new one') =>
    server.anyone.call(account.resetPassword, { body: { token, newPassword } });
  const tokenFor = async (email: string) => {
    await forgot(email);
    const { text } = await awaitMail(server, email, 'new Throughline password');
    return /https:\/\/flows\.example\/reset-password\?token=([\w-]{43})\n/.exec(text)?.[1] ?? '';
  };

  test('can be reset with the emailed link, which ends all sessions and does not sign the user in', async () => {
    const person = await signUp(server);
    const token = await tokenFor(person.email);
    expect(await reset(token)).toEqual({ success: true });
    expect(await refusal(person.client.call(auth.session, {}))).toMatchObject({ status: 401 });
    await logIn(server, person.email, 'brand new one');
    expect(await refusal(reset(token))).toMatchObject({
      status: 400,
      code: 'reset_invalid',
      message: TEXTS.passwordLinkInvalid,
    });
  });

  test('has a reset link that becomes invalid after an hour, or when the password is changed', async () => {
    const person = await signUp(server);
    const late = await tokenFor(person.email);
    clock.advance(HOUR_MS + 1000);
    expect((await refusal(reset(late))).code).toBe('reset_invalid');
    const second = await signUp(server);
    const superseded = await tokenFor(second.email);
    const body = { currentPassword: second.password, newPassword: 'something else' };
    await second.client.call(account.changePassword, { body });
    expect((await refusal(reset(superseded))).code).toBe('reset_invalid');
  });

  test('leads to the same response with and without an account, and to at most three emails an hour', async () => {
    const person = await signUp(server);
    const linksTo = async (email: string) =>
      (await mailTo(server, email)).filter(({ subject }) => subject.includes('new Throughline password'));
    for (let time = 0; time < 5; time += 1) expect(await forgot(person.email)).toEqual({ success: true });
    expect(await forgot('nobody@test.example')).toEqual({ success: true });
    await expect.poll(async () => (await linksTo(person.email)).length, { timeout: 20_000 }).toBe(3);
    // Mails are sent in order: once the mail to this new user arrives, all earlier mails have been sent.
    const witness = await signUp(server);
    await tokenFor(witness.email);
    expect(await linksTo(person.email)).toHaveLength(3);
    expect(await mailTo(server, 'nobody@test.example')).toEqual([]);
  });
});

describe('sessions', () => {
  const agent = (userAgent: string, { email, password }: { email: string; password: string }) =>
    fetch(`${server.url}${auth.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ email, password }),
    });
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

  test('are listed with device and IP address, and a login from a new device sends an email', async () => {
    const person = await signUp(server);
    await agent(FIREFOX, person);
    const { sessions } = await person.client.call(account.sessions, {});
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual(
      expect.objectContaining({ device: 'Firefox on Linux', address: '127.0.0.1', current: false }),
    );
    expect(sessions.filter((session) => session.current)).toHaveLength(1);
    expect((await awaitMail(server, person.email, 'New login')).text).toContain('Firefox on Linux');
    await agent(FIREFOX, person);
    const witness = await signUp(server);
    await agent(FIREFOX, witness);
    await awaitMail(server, witness.email, 'New login');
    const mails = await mailTo(server, person.email);
    expect(mails.filter(({ subject }) => subject.startsWith('New login'))).toHaveLength(1);
  });

  test('can be ended one by one, or all except the current session, but only by their own user', async () => {
    const person = await signUp(server);
    const [second, third] = [
      await logIn(server, person.email, person.password),
      await logIn(server, person.email, person.password),
    ];
    const { sessions } = await second.client.call(account.sessions, {});
    const own = sessions.find((session) => session.current)?.id ?? '';
    await person.client.call(account.endSession, { params: { id: own } });
    expect(await refusal(second.client.call(auth.session, {}))).toMatchObject({ status: 401 });
    const stranger = await signUp(server);
    const { sessions: theirs } = await stranger.client.call(account.sessions, {});
    const not = await refusal(
      person.client.call(account.endSession, { params: { id: theirs[0]?.id ?? '' } }),
    );
    expect(not.code).toBe('not_found');
    await person.client.call(account.endOtherSessions, {});
    expect(await refusal(third.client.call(auth.session, {}))).toMatchObject({ status: 401 });
    await person.client.call(auth.session, {});
  });
});

describe('deleting an account', () => {
  test('also deletes the projects of a solo user', async () => {
    const person = await signUp(server);
    const { apiKey } = await makeProject(person);
    await sendTraces(server, apiKey, [aTrace()]);
    await person.client.call(account.remove, {});
    expect(await refusal(person.client.call(auth.session, {}))).toMatchObject({ status: 401 });
    expect(await refusal(logIn(server, person.email, person.password))).toMatchObject({ status: 401 });
    await expect(sendTraces(server, apiKey, [aTrace()])).rejects.toThrow('401');
    await awaitMail(server, person.email, 'was deleted');
    await signUp(server, { email: person.email });
  });

  test.runIf(isThorough())(
    "also deletes the owner's organization, if there are no other members and no subscription renews",
    async () => {
      const { owner, organization } = await makeOrganization(server);
      const member = await join(server, owner, organization);
      const { apiKey } = await makeProject(owner);
      const params = { id: organization.id };
      const plan = (id: string) =>
        owner.client.call(routes.billing.changeOrganizationPlan, { params, body: { plan: id } });
      const paid = await refusal(owner.client.call(account.remove, {}));
      expect(paid).toMatchObject({ status: 409, code: 'cancel_subscription_first' });
      expect(await refusal(member.client.call(account.remove, {}))).toMatchObject({ status: 403 });
      expect((await refusal(plan('free_trial'))).code).toBe('plan_limit');
      const memberParams = { id: organization.id, userId: member.user.id };
      await owner.client.call(routes.orgs.removeMember, { params: memberParams });
      await plan('free_trial');
      await owner.client.call(account.remove, {});
      await expect(sendTraces(server, apiKey, [aTrace()])).rejects.toThrow('401');
      expect(
        (await server.anyone.call(routes.orgs.slug, { params: { slug: organization.slug } })).slug,
      ).toEqual({
        name: organization.slug,
        available: true,
      });
      await logIn(server, member.email, member.password);
    },
  );

  test.runIf(isThorough())("is refused while the owner's organization has other members", async () => {
    const { owner, organization } = await makeOrganization(server);
    await join(server, owner, organization);
    const { db } = server.app.control;
    const { subscriptions } = await import('../../platform/control-store/index.ts');
    await db.update(subscriptions).set({ cancelAtPeriodEnd: true });
    expect(await refusal(owner.client.call(account.remove, {}))).toMatchObject({
      status: 409,
      code: 'members_remain',
    });
  });
});
