import { routes, TEXTS } from '@throughline/contract';
import {
  awaitEmailToken,
  awaitMail,
  confirmAddress,
  createFakeClock,
  logIn,
  mailTo,
  makeOrganization,
  type Person,
  readToken,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { pickRows } from '@throughline/testkit/thorough';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock, env: { PUBLIC_URL: 'https://flows.example' } });
});
afterAll(() => server.stop());

const { account, auth, invitations, orgs, twoFactor } = routes;

const buildNewAddress = (person: Person) => `new-${person.email}`;
const changeTo = (person: Person, email: string, name = person.user.name) =>
  person.client.call(account.updateProfile, { body: { name, email } });
const confirm = (token: string) => server.anyone.call(account.verifyEmail, { body: { token } });
const readUser = async ({ client }: Person) => (await client.call(auth.session, {})).user;
const INVALID = { status: 400, code: 'email_link_invalid', message: TEXTS.emailLinkInvalid };

describe('a new email address', () => {
  test('takes effect only when its confirmation link is opened', async () => {
    const person = await signUp(server);
    const next = buildNewAddress(person);
    const { user } = await changeTo(person, next.toUpperCase());
    expect(user).toMatchObject({ email: person.email, pendingEmail: next });
    await logIn(server, person.email, person.password);
    expect(await refusal(logIn(server, next, person.password))).toMatchObject({ status: 401 });
    const notice = await awaitMail(server, person.email, 'change of your Throughline email address');
    expect(notice.text).toContain(next);

    expect(await confirm(await awaitEmailToken(server, next))).toEqual({ email: next });
    expect(await readUser(person)).toMatchObject({ email: next, pendingEmail: null, emailVerified: true });
    await logIn(server, next, person.password);
    expect(await refusal(logIn(server, person.email, person.password))).toMatchObject({ status: 401 });
    expect((await awaitMail(server, person.email, 'address was changed')).text).toContain(next);
  });

  test('has a confirmation link that works once, also in concurrent requests, and for 24 hours', async () => {
    const [person, late] = [await signUp(server), await signUp(server)];
    await changeTo(person, buildNewAddress(person));
    const token = await awaitEmailToken(server, buildNewAddress(person));
    const both = await Promise.allSettled([confirm(token), confirm(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(confirm(token))).toMatchObject(INVALID);

    await changeTo(late, buildNewAddress(late));
    const lateToken = await awaitEmailToken(server, buildNewAddress(late));
    clock.advance(24 * HOUR_MS);
    expect(await refusal(confirm(lateToken))).toMatchObject(INVALID);
    expect(await readUser(late)).toMatchObject({ email: late.email, pendingEmail: null });
    expect(await refusal(confirm('x'.repeat(43)))).toMatchObject(INVALID);
  });

  test.each(
    pickRows(
      [
        ['another change', (person: Person) => changeTo(person, `other-${person.email}`)],
        ['being cancelled', (person: Person) => person.client.call(account.cancelEmailChange, {})],
        [
          'a change of the password',
          (person: Person) =>
            person.client.call(account.changePassword, {
              body: { currentPassword: person.password, newPassword: 'another one' },
            }),
        ],
      ],
      { usually: 1 },
    ),
  )('can no longer be confirmed after %s', async (_what, giveUp) => {
    const person = await signUp(server);
    await changeTo(person, buildNewAddress(person));
    const token = await awaitEmailToken(server, buildNewAddress(person));
    await giveUp(person);
    expect(await refusal(confirm(token))).toMatchObject(INVALID);
    const user = await readUser(person);
    expect([user.email, user.pendingEmail]).not.toContain(buildNewAddress(person));
  });

  test('stays pending if only the name is changed', async () => {
    const person = await signUp(server);
    await changeTo(person, buildNewAddress(person));
    const { user } = await changeTo(person, person.email, 'Another Name');
    expect(user).toMatchObject({ name: 'Another Name', pendingEmail: buildNewAddress(person) });
    await confirmAddress(server, buildNewAddress(person));
  });

  test('is refused if another account has the address, even if that account was created after the change was requested', async () => {
    const [person, other] = [await signUp(server), await signUp(server)];
    expect(await refusal(changeTo(person, other.email.toUpperCase()))).toMatchObject({
      status: 409,
      code: 'email_taken',
    });
    await changeTo(person, buildNewAddress(person));
    const token = await awaitEmailToken(server, buildNewAddress(person));
    await signUp(server, { email: buildNewAddress(person) });
    expect(await refusal(confirm(token))).toMatchObject({
      status: 409,
      code: 'email_taken',
      message: TEXTS.emailTakenMeanwhile,
    });
    expect((await readUser(person)).email).toBe(person.email);
  });

  test('can be requested at most ten times a day, because each request reveals whether the address has an account', async () => {
    const [person, other] = [await signUp(server), await signUp(server)];
    const answers: string[] = [];
    for (let count = 0; count < 10; count += 1)
      answers.push((await refusal(changeTo(person, other.email))).code);
    // The mail that was sent at registration counts as one of the ten requests.
    expect(answers).toEqual([...Array.from({ length: 9 }, () => 'email_taken'), 'too_many_requests']);
    expect((await mailTo(server, other.email)).length).toBeLessThanOrEqual(1);
  });

  test('invalidates password-reset links that were sent to the old address', async () => {
    const person = await signUp(server);
    await server.anyone.call(account.forgotPassword, { body: { email: person.email } });
    const { text } = await awaitMail(server, person.email, 'new Throughline password');
    const reset = /reset-password\?token=([\w-]{43})\n/.exec(text)?.[1] ?? '';
    await changeTo(person, buildNewAddress(person));
    await confirmAddress(server, buildNewAddress(person));
    const body = { token: reset, newPassword: 'stolen account' };
    expect(await refusal(server.anyone.call(account.resetPassword, { body }))).toMatchObject({
      code: 'reset_invalid',
    });
    await logIn(server, buildNewAddress(person), person.password);
  });

  test("is in the organization's audit log when it is requested, cancelled and confirmed", async () => {
    const { owner, organization } = await makeOrganization(server);
    await changeTo(owner, `first-${owner.email}`);
    await owner.client.call(account.cancelEmailChange, {});
    await changeTo(owner, buildNewAddress(owner));
    await confirmAddress(server, buildNewAddress(owner));
    const { entries } = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
    expect(entries.slice(0, 4).map(({ action, target }) => [action, target])).toEqual([
      ['member.email_changed', `${owner.email} to ${buildNewAddress(owner)}`],
      ['member.email_change_requested', buildNewAddress(owner)],
      ['member.email_change_cancelled', `first-${owner.email}`],
      ['member.email_change_requested', `first-${owner.email}`],
    ]);
  });
});

describe('the confirmation link', () => {
  const resend = (person: Person) => person.client.call(account.resendEmailLink, {});

  test('can be sent again at most five times a day: to the pending address if there is one, otherwise to the unconfirmed address', async () => {
    const person = await signUp(server);
    expect(await resend(person)).toEqual({ email: person.email });
    await changeTo(person, buildNewAddress(person));
    for (let count = 0; count < 4; count += 1)
      expect(await resend(person)).toEqual({ email: buildNewAddress(person) });
    expect(await refusal(resend(person))).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: 'Too many confirmation links were sent to this address. Try again in 24 hours.',
    });
    await confirmAddress(server, buildNewAddress(person));
    expect(await refusal(resend(person))).toMatchObject({ status: 409, code: 'nothing_to_confirm' });
  });
});

describe('the email address of a new account', () => {
  const invite = async (email: string) => {
    const { owner, organization } = await makeOrganization(server);
    const params = { id: organization.id };
    const { invitation } = await owner.client.call(orgs.invite, { params, body: { email } });
    return { organization, token: readToken(invitation.link) };
  };
  const listPendingInvitations = async (person: Person) =>
    (await person.client.call(invitations.pending, { params: { of: person.email } })).invitations;

  test('is unconfirmed until its link is opened, and pending invitations are hidden until then', async () => {
    const person = await signUp(server, { name: 'Visit evil.example' });
    const { organization } = await invite(person.email);
    expect(await readUser(person)).toMatchObject({ emailVerified: false, pendingEmail: null });
    expect(await listPendingInvitations(person)).toEqual([]);
    const mail = await awaitMail(server, person.email, 'Confirm your Throughline email address');
    expect(mail.text).not.toContain('Visit');
    await confirmAddress(server, person.email);
    expect(await readUser(person)).toMatchObject({ emailVerified: true });
    expect(await listPendingInvitations(person)).toMatchObject([
      { organizationName: organization.name, link: null },
    ]);
  });

  test('is confirmed if the user accepts an invitation that was sent to the address', async () => {
    const known = await signUp(server);
    const { token } = await invite(known.email);
    const joined = await known.client.call(invitations.accept, { params: { token } });
    expect(joined.user.emailVerified).toBe(true);
    const email = 'new-invitee@test.example';
    const registered = await server.anyone.call(auth.registerInvited, {
      params: { token: (await invite(email)).token },
      body: { name: 'Ina', email, password: 'secret1' },
    });
    expect(registered.user.emailVerified).toBe(true);
  });

  test('is confirmed by a password-reset link that was sent to the address', async () => {
    const person = await signUp(server);
    await server.anyone.call(account.forgotPassword, { body: { email: person.email } });
    const { text } = await awaitMail(server, person.email, 'new Throughline password');
    const token = /reset-password\?token=([\w-]{43})\n/.exec(text)?.[1] ?? '';
    await server.anyone.call(account.resetPassword, { body: { token, newPassword: 'brand new one' } });
    expect((await logIn(server, person.email, 'brand new one')).user.emailVerified).toBe(true);
  });

  test('gets at most ten emails a day about changes of the account while the address is unconfirmed, because the address can belong to somebody else', async () => {
    const person = await signUp(server);
    const { secret } = await person.client.call(twoFactor.setup, {});
    const code = generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
    await person.client.call(twoFactor.verify, { body: { code } });
    for (let count = 0; count < 12; count += 1) await person.client.call(twoFactor.regenerateBackupCodes, {});
    // Mails are sent in order: once the mail to this new user arrives, all earlier mails have been sent.
    const witness = await signUp(server);
    await awaitEmailToken(server, witness.email);
    const notices = (await mailTo(server, person.email)).filter(({ subject }) =>
      /[Tt]wo-factor/.test(subject),
    );
    expect(notices).toHaveLength(10);
  });
});
