import { routes, TEXTS } from '@throughline/contract';
import { logIn, readToken, refusal, startServer, type TestServer } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from './passwords.ts';
import { insertUser } from './store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { REGISTRATION: 'invite' } });
});
afterAll(() => server.stop());

const { auth, orgs } = routes;
const closed = { status: 403, code: 'registration_closed', message: TEXTS.registrationClosed };
const stranger = { name: 'Eve', email: 'eve@test.example', password: 'secret1' };

test('users without an invitation cannot register, and no account types are offered', async () => {
  expect(await server.anyone.call(auth.registrationTypes, {})).toEqual({ types: [] });
  const body = { ...stranger, organizationName: 'Eve Inc', organizationSlug: 'eve-inc' };
  for (const route of [auth.register, auth.registerSolo, auth.registerOrganization]) {
    expect(await refusal(server.anyone.call(route, { body }))).toMatchObject(closed);
  }
  const slug = await server.anyone.call(orgs.slug, { params: { slug: 'eve-inc' } });
  expect(slug.slug.available).toBe(true);
});

test('an invited user can still register', async () => {
  const email = 'olga@test.example';
  const passwordHash = await hashPassword('correct horse');
  await insertUser(server.app.control.db, {
    name: 'Olga',
    email,
    emailVerifiedAt: null,
    passwordHash,
    now: new Date(),
  });
  const owner = await logIn(server, email, 'correct horse');
  const { organization } = await owner.client.call(orgs.create, { body: { name: 'Acme', slug: 'acme' } });
  const params = { id: organization.id };
  await owner.client.call(routes.billing.changeOrganizationPlan, { params, body: { plan: 'pro' } });
  const { invitation } = await owner.client.call(orgs.invite, { params, body: { email: stranger.email } });
  const signedIn = await server.anyone.call(auth.registerInvited, {
    params: { token: readToken(invitation.link) },
    body: stranger,
  });
  expect(signedIn).toMatchObject({ user: { email: stranger.email }, organization: { name: 'Acme' } });
});
