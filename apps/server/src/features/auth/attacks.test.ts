import { type Client, type Route, routes, TEXTS } from '@throughline/contract';
import {
  awaitMail,
  createAccessToken,
  createFakeClock,
  join,
  makeOrganization,
  readToken,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  // Uses production's rate limits, and client addresses from the proxy header.
  server = await startServer({ clock, env: { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' } });
});
afterAll(() => server.stop());

const { account, auth, orgs } = routes;

/** Posts like a browser at the given network address. */
const from = (address: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    body: JSON.stringify(body),
  });
const logInFrom = (address: string, email: string, password: string) =>
  from(address, auth.login.path, { email, password });
const listStatuses = (answers: readonly Response[]) => answers.map((answer) => answer.status);

describe('credential stuffing', () => {
  test.runIf(isThorough())(
    'from one IP address is limited to 60 logins a minute over all accounts',
    async () => {
      const tried = await Promise.all(
        Array.from({ length: 70 }, (_, place) =>
          logInFrom('198.51.100.1', `victim-${place}@test.example`, 'x'),
        ),
      );
      const statuses = listStatuses(tried);
      expect(statuses.filter((status) => status === 401)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(10);
      const refused = tried.find((answer) => answer.status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await logInFrom('198.51.100.2', 'victim-1@test.example', 'x')).status).toBe(401);
    },
  );

  test("against one account from many IP addresses is limited, and does not lock out the account's owner", async () => {
    const owner = await signUp(server);
    const home = '203.0.113.9';
    expect((await logInFrom(home, owner.email, owner.password)).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, place) =>
        logInFrom(`198.51.100.${100 + place}`, owner.email, 'a guess'),
      ),
    );
    expect(listStatuses(guesses).filter((status) => status === 401)).toHaveLength(10);
    expect(listStatuses(guesses).filter((status) => status === 429)).toHaveLength(50);
    expect((await logInFrom(home, owner.email, owner.password)).status).toBe(200);
  });
});

test.runIf(isThorough())(
  'registrations, which reveal whether an email address is taken, are limited to 60 a minute per IP address',
  async () => {
    const { email } = await signUp(server);
    const asked = await Promise.all(
      Array.from({ length: 65 }, () =>
        from('198.51.100.3', auth.registerSolo.path, { name: 'A', email, password: 'secret1' }),
      ),
    );
    const statuses = listStatuses(asked);
    expect(statuses.filter((status) => status === 409)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  },
);

test('guesses of access tokens are limited to 300 a minute per IP address, and valid tokens are still accepted from that address', async () => {
  const { token } = await createAccessToken(server, await signUp(server));
  const read = (address: string, bearer: string) =>
    fetch(server.url + routes.projects.list.path, {
      headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': address },
    });
  const guess = `tlr_${'A'.repeat(43)}`;
  const guesses = await Promise.all(Array.from({ length: 310 }, () => read('198.51.100.77', guess)));
  expect(listStatuses(guesses).filter((status) => status === 401)).toHaveLength(300);
  expect(listStatuses(guesses).filter((status) => status === 429)).toHaveLength(10);
  expect((await read('198.51.100.77', token)).status).toBe(200);
});

test('a login never creates a session with a token from the request', async () => {
  const person = await signUp(server);
  const planted = 'A'.repeat(43);
  const headers = { authorization: `Bearer ${planted}`, cookie: `auth_token=${planted}` };
  const body = { email: person.email, password: person.password, token: planted, auth_token: planted };
  const answer = await from('203.0.113.10', auth.login.path, body, headers);
  const { token } = (await answer.json()) as { token: string };
  expect(token).not.toBe(planted);
  expect(await refusal(server.as(planted).call(auth.session, {}))).toMatchObject({ status: 401 });
});

describe('another site', () => {
  test('cannot use a visitor’s session, because no cookie authenticates a request and no cookie is set', async () => {
    const person = await signUp(server);
    const cookie = `auth_token=${person.token}; token=${person.token}; session=${person.token}`;
    const answers = await Promise.all([
      from('203.0.113.11', auth.logout.path, {}, { cookie }),
      fetch(server.url + auth.session.path, { headers: { cookie } }),
      fetch(`${server.url}${auth.session.path}?token=${person.token}&access_token=${person.token}`),
    ]);
    expect(listStatuses(answers)).toEqual([401, 401, 401]);
    const signedIn = await logInFrom('203.0.113.11', person.email, person.password);
    for (const answer of [...answers, signedIn]) expect(answer.headers.get('set-cookie')).toBeNull();
    await person.client.call(auth.session, {});
  });

  test('cannot read responses, and its forms are rejected', async () => {
    const origin = 'https://evil.example';
    const preflight = await fetch(server.url + auth.login.path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    const read = await fetch(server.url + auth.registrationTypes.path, { headers: { origin } });
    for (const answer of [preflight, read]) {
      const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect(allowed).toEqual([]);
    }
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ]) {
      const form = await fetch(server.url + auth.login.path, {
        method: 'POST',
        headers: { origin, 'content-type': type },
        body: '{"email":"a@b.co","password":"secret1"}',
      });
      expect(form.status).toBe(415);
    }
  });
});

describe('a manipulated request', () => {
  const sneaky = {
    id: crypto.randomUUID(),
    userId: crypto.randomUUID(),
    role: 'owner',
    userType: 'organization_member',
    organizationId: crypto.randomUUID(),
    plan: 'enterprise_plus',
    passwordHash: 'x',
    createdAt: '2000-01-01T00:00:00Z',
    demo: true,
    limits: { maxMembers: 1000 },
  };

  test('does not change the role that an invited user gets', async () => {
    const { owner, organization } = await makeOrganization(server);
    const params = { id: organization.id };
    const email = 'invited@test.example';
    const { invitation } = await owner.client.call(orgs.invite, { params, body: { email } });
    const token = readToken(invitation.link);
    const body = { name: 'Ina', email, password: 'secret1', ...sneaky };
    const joined = await server.anyone.call(auth.registerInvited, { params: { token }, body: body as never });
    expect(joined.organization).toMatchObject({ id: organization.id, role: 'developer' });
    const crowning = server
      .as(joined.token)
      .call(orgs.transferOwnership, { params, body: { userId: joined.user.id } });
    expect(await refusal(crowning)).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('changes only the name and the email address of a profile', async () => {
    const person = await signUp(server);
    const body = { name: 'Same', email: person.email, ...sneaky };
    const { user } = await person.client.call(account.updateProfile, { body: body as never });
    expect(user).toEqual({ ...person.user, name: 'Same' });
    expect(await person.client.call(auth.session, {})).toEqual({ user, organization: null });
  });

  test('changes only the name and the slug of an organization', async () => {
    const { owner, organization } = await makeOrganization(server);
    const body = { name: 'Same', ...sneaky };
    const params = { id: organization.id };
    const changed = await owner.client.call(orgs.update, { params, body: body as never });
    const before = (await owner.client.call(orgs.read, { params })).organization;
    expect(changed.organization).toEqual(before);
    expect(before).toMatchObject({
      id: organization.id,
      name: 'Same',
      plan: 'pro',
      role: 'owner',
      demo: false,
    });
  });

  test('cannot invite a user to an organization of somebody else', async () => {
    const { organization } = await makeOrganization(server);
    const { owner: other, organization: own } = await makeOrganization(server);
    const developer = await join(server, other, own);
    for (const client of [developer.client, other.client]) {
      const invite = client.call(orgs.invite, {
        params: { id: organization.id },
        body: { email: developer.email, role: 'admin' },
      });
      expect(await refusal(invite)).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('a value that is far too long', () => {
  type Call = (text: string, client: Client, id: string) => Promise<unknown>;
  const person = { name: 'A', email: 'huge@test.example', password: 'secret1' };
  const register = (body: typeof person) => server.anyone.call(auth.registerSolo, { body });
  const found = (organizationName: string, organizationSlug: string) =>
    server.anyone.call(auth.registerOrganization, {
      body: { ...person, organizationName, organizationSlug },
    });
  const cases: readonly (readonly [what: string, field: string, call: Call])[] = [
    ['a person', 'name', (name) => register({ ...person, name })],
    ['a password', 'password', (password) => register({ ...person, password })],
    ['an address', 'email', (text) => register({ ...person, email: `${text}@b.co` })],
    ['an organization', 'organizationName', (name) => found(name, 'huge')],
    ['a slug', 'organizationSlug', (slug) => found('Huge', slug)],
    [
      'a profile',
      'name',
      (name, client) => client.call(account.updateProfile, { body: { name, email: 'a@b.co' } }),
    ],
    [
      'a renamed organization',
      'name',
      (name, client, id) => client.call(orgs.update, { params: { id }, body: { name } }),
    ],
    [
      'an invited person',
      'name',
      (name, client, id) => client.call(orgs.invite, { params: { id }, body: { name, email: 'a@b.co' } }),
    ],
  ];
  test.each(pickRows(cases, { usually: 2 }))(
    'is rejected for %s, and the error names the field',
    async (_what, field, call) => {
      const { owner, organization } = await makeOrganization(server);
      const error = await refusal(call('n'.repeat(5000), owner.client, organization.id));
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(error.details?.fields?.map((one) => one.path)).toContain(field);
      expect(error.message.length).toBeLessThan(200);
      // The server stops reading before the end of the megabyte.
      const megabyte = await refusal(call('n'.repeat(1_000_000), owner.client, organization.id));
      expect(megabyte).toMatchObject({ status: 413, code: 'payload_too_large' });
    },
  );
});

test('a session shows the country of its IP address, and the email about a new device shows the same country', async () => {
  const person = await signUp(server);
  const body = { email: person.email, password: person.password };
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await from('193.99.144.80', auth.login.path, body, browser);
  const { sessions } = await person.client.call(account.sessions, {});
  expect(sessions.map(({ address, country }) => [address, country]).sort()).toEqual([
    ['127.0.0.1', null],
    ['193.99.144.80', 'DE'],
  ]);
  const mail = await awaitMail(server, person.email, 'New login');
  expect(mail.text).toContain('from the IP address 193.99.144.80 (Germany).');
  expect(mail.html).toContain('193.99.144.80 (Germany)');
});

const guarded = Object.entries<Readonly<Record<string, Route>>>(routes).flatMap(([domain, group]) =>
  Object.entries(group)
    .filter(([, { access }]) => access.by === 'session')
    .map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
);
test.each(guarded)('%s without a session is refused with 401', async (_name, { method, path }) => {
  const address = server.url + path.replace(':part', 'request.body').replace(/:\w+/g, crypto.randomUUID());
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.99' };
  const answer = await fetch(address, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ error: { code: 'unauthenticated' } });
});

test('responses to login and password reset do not reveal whether an account exists', async () => {
  const person = await signUp(server);
  const asked = await Promise.all(
    [person.email, 'nobody@test.example'].map(async (email) => {
      const login = await logInFrom('203.0.113.12', email, 'not it');
      const forgot = await from('203.0.113.12', account.forgotPassword.path, { email });
      const bodies = [await login.text(), await forgot.text()].map((text) =>
        text.replace(/"requestId":"[^"]+"/, ''),
      );
      return { statuses: listStatuses([login, forgot]), bodies };
    }),
  );
  expect(asked[0]).toEqual(asked[1]);
  expect(asked[0]?.statuses).toEqual([401, 202]);
  expect(asked[0]?.bodies[0]).toContain(TEXTS.invalidCredentials);
});
