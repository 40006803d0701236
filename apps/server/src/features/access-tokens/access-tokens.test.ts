import { isAccessToken, MAX_ACCESS_TOKENS, type Route, routes } from '@throughline/contract';
import {
  awaitMail,
  createAccessToken,
  createFakeClock,
  join,
  logIn,
  mailTo,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../platform/http/guard.ts';
import { createId, type SessionId, type UserId } from '../../platform/ids.ts';
import { createAccessTokenService } from './service.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

const { accessTokens } = routes;
const list = async ({ client }: Person) => (await client.call(accessTokens.list, {})).accessTokens;
const create = (person: Person, body: unknown) =>
  person.client.call(accessTokens.create, { body: body as never });
/** Lists the projects that a token can read. */
const read = (token: string) => server.as(token).call(routes.projects.list, {});
const INVALID = { status: 401, code: 'invalid_access_token' };

describe('an access token', () => {
  test('reads what its user can read, until its user revokes it', async () => {
    const person = await signUp(server);
    const project = await makeProject(person, 'shop');
    const { id, token } = await createAccessToken(server, person);
    expect(isAccessToken(token)).toBe(true);
    expect((await read(token)).projects.map((one) => one.id)).toEqual([project.id]);
    const traces = await server.as(token).call(routes.traces.list, { query: { q: 'status:5xx' } });
    expect(traces.total).toBe(0);
    await person.client.call(accessTokens.revoke, { params: { id } });
    expect(await refusal(read(token))).toMatchObject(INVALID);
    expect(await list(person)).toEqual([]);
  });

  test('is returned once, and only its hash is stored', async () => {
    const person = await signUp(server);
    const { token } = await createAccessToken(server, person);
    const answer = await person.client.open(accessTokens.list, {});
    expect(await answer.text()).not.toContain(token.slice(4));
    const { rows } = (await server.app.control.db.execute(
      sql`select row_to_json(t)::text as json from access_tokens t`,
    )) as unknown as { rows: { json: string }[] };
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  test.each([7, 30, 90, 365] as const)('lasts %i days, even if it is in use', async (days) => {
    const person = await signUp(server);
    const { token, accessToken } = await create(person, { name: 'ci', days });
    clock.advance(days * DAY_MS - 1);
    await read(token);
    clock.advance(1);
    expect(await refusal(read(token))).toMatchObject(INVALID);
    const again = await logIn(server, person.email, person.password);
    expect(await list(again)).toMatchObject([{ id: accessToken.id, expired: true }]);
  });

  test('survives the end of the session that created it', async () => {
    const person = await signUp(server);
    const { token } = await createAccessToken(server, person);
    await person.client.call(routes.auth.logout, {});
    await read(token);
  });

  test('is listed with the time of its last use, accurate to a minute', async () => {
    const person = await signUp(server);
    const { token } = await createAccessToken(server, person);
    const lastUse = async () => (await list(person))[0]?.lastUsedAt;
    expect(await lastUse()).toBeNull();
    const first = clock.now().toISOString();
    await read(token);
    expect(await lastUse()).toBe(first);
    clock.advance(MINUTE_MS - 1);
    await read(token);
    expect(await lastUse()).toBe(first);
    clock.advance(1);
    await read(token);
    expect(await lastUse()).toBe(clock.now().toISOString());
  });

  test.each([
    ['with a letter changed', (token: string) => token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')],
    ['in other letter case', (token: string) => `tlr_${token.slice(4).toLowerCase()}`],
    ['that nobody created', () => `tlr_${'A'.repeat(43)}`],
  ])('is not accepted %s', async (_how, change) => {
    const { token } = await createAccessToken(server, await signUp(server));
    expect(await refusal(read(change(token)))).toMatchObject(INVALID);
  });

  test('that is incomplete or too long is accepted neither as an access token nor as a session token', async () => {
    const { token } = await createAccessToken(server, await signUp(server));
    for (const part of [token.slice(0, -1), token.slice(4), `${token}x`]) {
      expect(await refusal(read(part))).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });

  const byFormerMeans: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
    'the password is changed': ({ client, password }) =>
      client.call(routes.account.changePassword, {
        body: { currentPassword: password, newPassword: 'a new password' },
      }),
    'the password is reset': async ({ email }) => {
      await server.anyone.call(routes.account.forgotPassword, { body: { email } });
      const { text } = await awaitMail(server, email, 'Set a new Throughline password');
      const token = /token=([\w-]+)/.exec(text)?.[1] ?? '';
      const body = { token, newPassword: 'a new password' };
      await server.anyone.call(routes.account.resetPassword, { body });
    },
    'the account is deleted': ({ client }) => client.call(routes.account.remove, {}),
  };
  test.each(Object.entries(byFormerMeans))('is not accepted after %s', async (_when, end) => {
    const [person, other] = [await signUp(server), await signUp(server)];
    const [{ token }, { token: othersToken }] = [
      await createAccessToken(server, person),
      await createAccessToken(server, other),
    ];
    await read(token);
    await end(person);
    expect(await refusal(read(token))).toMatchObject(INVALID);
    await read(othersToken);
  });

  test('is not created with a stolen session that ended while the request was running', async () => {
    const person = await signUp(server);
    const unused = undefined as never;
    const service = createAccessTokenService({
      control: server.app.control,
      clock,
      audit: unused,
      mail: unused,
    });
    const caller: Caller = {
      userId: person.user.id as UserId,
      email: person.email,
      // A session id that no longer exists, as if the user had changed the password while the request was running.
      sessionId: createId<SessionId>(),
      authenticatedAt: clock.now(),
      userType: 'solo',
      organization: null,
    };
    const created = service.create(caller, { userId: caller.userId, address: '' }, { name: 'ci', days: 365 });
    await expect(created).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await list(person)).toEqual([]);
  });

  test('is revoked, and reads no project of the organization, after its user was removed from the organization', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization);
    await makeProject(owner);
    const { token } = await createAccessToken(server, member);
    expect((await read(token)).projects).toHaveLength(1);
    const params = { id: organization.id, userId: member.user.id };
    await owner.client.call(routes.orgs.removeMember, { params });
    expect(await refusal(read(token))).toMatchObject(INVALID);
  });

  test('reads no project of an organization that its user left', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization);
    await makeProject(owner);
    const { token } = await createAccessToken(server, member);
    await member.client.call(routes.orgs.leave, { params: { id: organization.id } });
    expect((await read(token)).projects).toEqual([]);
  });
});

describe('access tokens', () => {
  const all: [string, Route][] = Object.entries<Readonly<Record<string, Route>>>(routes).flatMap(
    ([domain, group]) =>
      Object.entries(group).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
  );
  const withoutTokens = all.filter(
    ([, { access, accessTokens: accepts }]) => access.by === 'session' && accepts !== true,
  );

  test.each(withoutTokens)('are refused by %s, and the error states why', async (_name, route) => {
    const { client } = await findReader();
    const params = Object.fromEntries(
      [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'x']),
    );
    const body = route.body === undefined ? {} : { body: {} };
    const error = await refusal(client.open(route, { params, ...body }));
    expect(error).toMatchObject({ status: 403, code: 'session_required' });
    expect(error.message).toContain('can only read projects, traces, errors and analytics');
  });

  test('cannot accept an invitation', async () => {
    const { client } = await findReader();
    const error = await refusal(
      client.call(routes.invitations.accept, { params: { token: 'x'.repeat(43) } }),
    );
    expect(error).toMatchObject({ status: 403, code: 'session_required' });
  });

  test('cannot be used to send traces', async () => {
    const { token } = await findReader();
    const answer = await fetch(server.url + routes.ingest.traces.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-api-key': token },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });

  let reader: ReturnType<typeof createAccessToken> | undefined;
  const findReader = () => {
    reader ??= signUp(server).then((person) => createAccessToken(server, person));
    return reader;
  };

  test.each([
    [{ days: 7 }, 'name', 'Enter a name for the token'],
    [{ name: '  ', days: 7 }, 'name', 'Enter a name for the token'],
    [{ name: 'x'.repeat(81), days: 7 }, 'name', 'Name must be at most 80 characters long'],
    [
      { name: 'a\u001b[2J', days: 7 },
      'name',
      'Name must not contain line breaks or other control characters',
    ],
    [{ name: 'ci' }, 'days', 'days must be one of 7, 30, 90, 365'],
    [{ name: 'ci', days: 3650 }, 'days', 'days must be one of 7, 30, 90, 365'],
    [{ name: 'ci', days: '7' }, 'days', 'days must be one of 7, 30, 90, 365'],
  ])('are not created with the fields %j', async (body, field, message) => {
    const error = await refusal(create(await signUp(server), body));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed', message });
    expect(error.details?.fields?.[0]?.path).toBe(field);
  });

  test(`are at most ${MAX_ACCESS_TOKENS} per user, in concurrent requests, too; expired ones do not count`, async () => {
    const person = await signUp(server);
    const outcomes = await Promise.allSettled(
      Array.from({ length: MAX_ACCESS_TOKENS + 4 }, () => create(person, { name: 'ci', days: 7 })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ status: 409, code: 'too_many_access_tokens' });
    }
    clock.advance(7 * DAY_MS);
    const again = await logIn(server, person.email, person.password);
    await createAccessToken(server, again);
    expect(await list(again)).toHaveLength(MAX_ACCESS_TOKENS + 1);
  });

  test('are created only after a recent login or confirmation, because they outlive a stolen session', async () => {
    const person = await signUp(server);
    clock.advance(16 * MINUTE_MS);
    const error = await refusal(createAccessToken(server, person));
    expect(error).toMatchObject({ status: 403, code: 'reauthentication_required' });
    await person.client.call(routes.auth.confirm, { body: { password: person.password } });
    await createAccessToken(server, person);
  });

  test('belong to one user: another member of the organization neither sees nor revokes them', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization, 'admin');
    const { id, token } = await createAccessToken(server, member);
    expect(await list(owner)).toEqual([]);
    for (const one of [id, 'nonsense', '%00']) {
      const error = await refusal(owner.client.call(accessTokens.revoke, { params: { id: one } }));
      expect(error).toMatchObject({ status: 404, code: 'not_found' });
    }
    await read(token);
  });

  test('are in the audit log and in a mail to the user, without the token', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { id, token } = await createAccessToken(server, owner, 'build server');
    await owner.client.call(accessTokens.revoke, { params: { id } });
    const { entries } = await owner.client.call(routes.audit.list, {
      params: { id: organization.id },
      query: {},
    });
    const actions = entries.filter(({ action }) => action.startsWith('member.access_token'));
    expect(actions).toMatchObject([
      { action: 'member.access_token_revoked', target: 'build server', actor: { email: owner.email } },
      { action: 'member.access_token_created', target: 'build server', actor: { email: owner.email } },
    ]);
    const { text, html } = await awaitMail(server, owner.email, 'access token');
    expect(text).toContain('"build server"');
    expect(JSON.stringify([entries, text, html])).not.toContain(token.slice(4));
    expect(await mailTo(server, owner.email)).not.toEqual([]);
  });
});
