import { type Organization, routes, TEXTS } from '@throughline/contract';
import {
  awaitMail,
  confirmAddress,
  createFakeClock,
  join,
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
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock, env: { PUBLIC_URL: 'https://flows.example' } });
});
afterAll(() => server.stop());

const { orgs, invitations, auth } = routes;
let people = 0;
const anAddress = () => {
  people += 1;
  return `invitee-${people}@test.example`;
};

const invite = async (owner: Person, organization: Organization, email = anAddress()) =>
  (await owner.client.call(orgs.invite, { params: { id: organization.id }, body: { name: 'Ina', email } }))
    .invitation;
const offer = (token: string) => server.anyone.call(invitations.read, { params: { token } });
const registerWith = (token: string, email: string) =>
  server.anyone.call(auth.registerInvited, {
    params: { token },
    body: { name: 'Ina', email, password: 'secret1' },
  });
const accept = (client: Person['client'], token: string) =>
  client.call(invitations.accept, { params: { token } });

describe('an invitation', () => {
  test('is emailed with a link, the inviter and the organization, and the owner can copy the link later', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { link, ...invitation } = await invite(owner, organization, 'Ina.Vited@test.example');
    expect(link).toMatch(/^https:\/\/flows\.example\/invite\/[\w-]{43}$/);
    expect(invitation).toMatchObject({ name: 'Ina', email: 'ina.vited@test.example', role: 'developer' });
    const mail = await awaitMail(server, 'ina.vited@test.example', 'invited you');
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(link);
    const { invitation: shown } = await offer(readToken(link));
    expect(shown).toEqual({
      organizationName: organization.name,
      inviterName: owner.user.name,
      name: 'Ina',
      email: 'ina.vited@test.example',
      role: 'developer',
      expiresAt: invitation.expiresAt,
    });
    const params = { of: organization.id };
    const { invitations: pending } = await owner.client.call(invitations.pending, { params });
    expect(pending).toEqual([{ ...invitation, link, organizationName: organization.name }]);
  });

  test.runIf(isThorough())(
    'is refused if the plan has no free seat, and the error names the limit and a larger plan',
    async () => {
      const { owner, organization } = await makeOrganization(server);
      const params = { id: organization.id };
      const plan = (id: string) =>
        owner.client.call(routes.billing.changeOrganizationPlan, { params, body: { plan: id } });
      await plan('free');
      await owner.client.call(routes.billing.jumpOrganization, { params, body: {} });
      const error = await refusal(owner.client.call(orgs.invite, { params, body: { email: anAddress() } }));
      expect(error).toMatchObject({ status: 403, code: 'plan_limit', message: TEXTS.freePlanMembers });
      const room = { upgradeRequired: true, gate: 'members' };
      expect(error.details).toEqual({ ...room, limit: 1, used: 1, upgradeTo: 'pro' });
      await plan('pro');
      for (let seat = 2; seat <= 15; seat += 1) await invite(owner, organization);
      const full = await refusal(owner.client.call(orgs.invite, { params, body: { email: anAddress() } }));
      expect(full.details).toEqual({ ...room, limit: 15, used: 15, upgradeTo: 'enterprise_basic' });
      const tooSmall = await refusal(plan('free_trial'));
      expect(tooSmall).toMatchObject({ code: 'plan_limit', details: { limit: 1, used: 15 } });
    },
  );

  test('is created only once for the last seat, even if several are requested at the same time', async () => {
    const { owner, organization } = await makeOrganization(server);
    for (let seat = 2; seat <= 14; seat += 1) await invite(owner, organization);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => invite(owner, organization)));
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  test.runIf(isThorough())(
    'is refused for a member, for an invited address and with the role of owner; a password in the request is ignored',
    async () => {
      const { owner, organization } = await makeOrganization(server);
      const member = await join(server, owner, organization);
      expect(await refusal(invite(owner, organization, member.email))).toMatchObject({
        code: 'already_member',
      });
      const { email } = await invite(owner, organization);
      expect(await refusal(invite(owner, organization, email.toUpperCase()))).toMatchObject({
        status: 409,
        code: 'already_invited',
      });
      const sent = { email: anAddress(), role: 'owner', password: 'x' };
      const params = { id: organization.id };
      const role = await refusal(owner.client.call(orgs.invite, { params, body: sent as never }));
      expect(role).toMatchObject({ status: 400, code: 'validation_failed' });
      const answer = await owner.client.call(orgs.invite, {
        params,
        body: { ...sent, role: 'admin' } as never,
      });
      expect(answer.invitation.role).toBe('admin');
    },
  );

  test('does not reveal whether the address has an account', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { owner: other } = await makeOrganization(server);
    const [known, unknown] = [
      await invite(owner, organization, other.email),
      await invite(owner, organization),
    ];
    expect(Object.keys(known)).toEqual(Object.keys(unknown));
  });
});

describe('invitation emails', () => {
  test('are limited to five a day per address, even if invitations are withdrawn or sent again', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { owner: other, organization: second } = await makeOrganization(server);
    const email = anAddress();
    const params = { id: organization.id };
    const inviteRaw = (person: Person, id: string) =>
      fetch(`${server.url}/api/organizations/${id}/members`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
        body: JSON.stringify({ email }),
      });
    const revoke = (invitationId: string) =>
      owner.client.call(orgs.revokeInvitation, { params: { ...params, invitationId } });
    for (let count = 0; count < 2; count += 1) await revoke((await invite(owner, organization, email)).id);
    const { id } = await invite(owner, organization, email);
    const resend = () =>
      owner.client.call(orgs.resendInvitation, { params: { ...params, invitationId: id } });
    await resend();
    await resend();
    const message = 'Too many invitations were sent to this address. Try again in 24 hours.';
    expect(await refusal(resend())).toMatchObject({ status: 429, code: 'too_many_requests', message });
    // The limit applies to the address in all organizations. A refused invitation is not stored, so it takes no seat.
    const refused = await inviteRaw(other, second.id);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    const { invitations: pending } = await other.client.call(invitations.pending, {
      params: { of: second.id },
    });
    expect(pending).toEqual([]);
    await expect.poll(async () => (await mailTo(server, email)).length, { timeout: 20_000 }).toBe(5);
  });

  test('contain no link or markup from the inviter', async () => {
    const { owner, organization } = await makeOrganization(server);
    const evil = 'Your account is locked, see https://evil.example <b>now</b>';
    await owner.client.call(orgs.update, { params: { id: organization.id }, body: { name: evil } });
    await owner.client.call(routes.account.updateProfile, { body: { name: evil, email: owner.email } });
    const email = anAddress();
    const body = { name: evil, email };
    await owner.client.call(orgs.invite, { params: { id: organization.id }, body });
    const mail = await awaitMail(server, email, 'An organization invited you to Throughline');
    for (const text of [mail.subject, mail.text, mail.html]) {
      expect(text).not.toMatch(/evil\.example|<b>|&lt;b&gt;/);
    }
    expect(mail.text).toContain('Hello Your account is locked, see https evil…,');
    expect(mail.subject).toBe('An organization invited you to Throughline');
  });
});

describe('accepting an invitation', () => {
  test('with a new account makes the user a member immediately, with the offered role', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { link, email } = await invite(owner, organization);
    const signedIn = await registerWith(readToken(link), email.toUpperCase());
    expect(signedIn).toMatchObject({
      user: { email, userType: 'organization_member' },
      organization: { id: organization.id, role: 'developer', memberCount: 2 },
    });
    const params = { id: organization.id };
    const { members } = await owner.client.call(orgs.members, { params });
    expect(members.map((member) => [member.role, member.user.email])).toEqual([
      ['owner', owner.email],
      ['developer', email],
    ]);
    expect((await refusal(offer(readToken(link)))).message).toBe('Invalid or expired invitation');
  });

  test('requires a user to register, or to log in to an existing account, and does not sign the user in', async () => {
    const { owner, organization } = await makeOrganization(server);
    const stranger = await invite(owner, organization);
    expect(await refusal(accept(server.anyone, readToken(stranger.link)))).toMatchObject({
      status: 409,
      code: 'registration_required',
    });
    const person = await signUp(server);
    const known = await invite(owner, organization, person.email);
    expect(await refusal(accept(server.anyone, readToken(known.link)))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    const joined = await accept(person.client, readToken(known.link));
    expect(joined).toMatchObject({ user: { id: person.user.id }, organization: { id: organization.id } });
    expect(joined.token).toBe(person.token);
    expect(await refusal(registerWith(readToken(stranger.link), person.email))).toMatchObject({
      code: 'email_taken',
    });
  });

  test('is possible only with the invited address', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { link, email } = await invite(owner, organization);
    const other = await signUp(server);
    const token = readToken(link);
    expect(await refusal(accept(other.client, token))).toMatchObject({ status: 403, code: 'wrong_account' });
    expect(await refusal(registerWith(token, anAddress()))).toMatchObject({ code: 'wrong_account' });
    // The invitation is still valid, and nobody was registered.
    await registerWith(token, email);
  });

  test('is possible only once, only within seven days, and not after the invitation was withdrawn', async () => {
    const { owner, organization } = await makeOrganization(server);
    const invalid = { status: 404, code: 'invitation_invalid', message: TEXTS.invitationInvalid };
    const twice = await invite(owner, organization);
    const both = await Promise.allSettled([1, 2].map(() => registerWith(readToken(twice.link), twice.email)));
    expect(both.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
    const late = await invite(owner, organization);
    clock.advance(7 * DAY_MS);
    expect(await refusal(registerWith(readToken(late.link), late.email))).toMatchObject(invalid);
    const again = await logIn(server, owner.email, owner.password);
    const withdrawn = await invite(again, organization);
    const params = { id: organization.id, invitationId: withdrawn.id };
    await again.client.call(orgs.revokeInvitation, { params });
    expect(await refusal(registerWith(readToken(withdrawn.link), withdrawn.email))).toMatchObject(invalid);
    for (const token of ['', 'nonsense', '%', 'x'.repeat(90)]) {
      expect((await refusal(offer(token || '-'))).code).toBe('invitation_invalid');
    }
  });

  test.runIf(isThorough())('is refused while the user is a member of another organization', async () => {
    const first = await makeOrganization(server);
    const second = await makeOrganization(server);
    const member = await join(server, first.owner, first.organization);
    const { link } = await invite(second.owner, second.organization, member.email);
    expect(await refusal(accept(member.client, readToken(link)))).toMatchObject({
      status: 409,
      code: 'already_member',
    });
    await member.client.call(orgs.leave, { params: { id: first.organization.id } });
    await accept(member.client, readToken(link));
  });
});

test.runIf(isThorough())(
  'sending an invitation again keeps its link and restarts its seven days',
  async () => {
    const { owner, organization } = await makeOrganization(server);
    const { id, link, email } = await invite(owner, organization);
    await awaitMail(server, email, 'invited you');
    clock.advance(5 * DAY_MS);
    const params = { id: organization.id, invitationId: id };
    const again = (await owner.client.call(orgs.resendInvitation, { params })).invitation;
    expect(again.link).toBe(link);
    clock.advance(5 * DAY_MS);
    await registerWith(readToken(link), email);
    const sent = async () => (await mailTo(server, email)).filter((mail) => mail.subject.includes('invited'));
    await expect.poll(async () => (await sent()).length, { timeout: 20_000 }).toBe(2);
  },
);

describe('pending invitations', () => {
  test('are shown only to the user with the invited address, without the link', async () => {
    const { owner, organization } = await makeOrganization(server);
    const person = await signUp(server);
    await confirmAddress(server, person.email);
    await invite(owner, organization, person.email);
    const mine = await person.client.call(invitations.pending, {
      params: { of: person.email.toUpperCase() },
    });
    expect(mine.invitations).toMatchObject([{ organizationName: organization.name, link: null }]);
    const spy = await signUp(server);
    expect(
      await refusal(spy.client.call(invitations.pending, { params: { of: person.email } })),
    ).toMatchObject({
      status: 404,
    });
  });

  test('of an organization are not shown to its admins', async () => {
    const { owner, organization } = await makeOrganization(server);
    const admin = await join(server, owner, organization, 'admin');
    expect(
      await refusal(admin.client.call(invitations.pending, { params: { of: organization.id } })),
    ).toMatchObject({
      status: 404,
    });
  });
});
