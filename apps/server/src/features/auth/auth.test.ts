import { routes, TEXTS } from '@throughline/contract';
import { createFakeClock, logIn, refusal, signUp, startServer, type TestServer } from '@throughline/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

const register = (body: Record<string, unknown>) =>
  refusal(server.anyone.call(routes.auth.registerSolo, { body: body as never }));

describe('registration', () => {
  test('signs the user in, and stores the email address in lower case', async () => {
    const person = await signUp(server, { name: ' Ada ', email: 'Ada.Lovelace@Test.Example' });
    expect(person.user).toMatchObject({ name: 'Ada', email: 'ada.lovelace@test.example', userType: 'solo' });
    const session = await person.client.call(routes.auth.session, {});
    expect(session).toEqual({ user: person.user, organization: null });
  });

  test.each([
    [{ email: 'a@b.co', password: 'secret1' }, TEXTS.allFieldsRequired, 'name'],
    [{ name: 'A', email: '', password: 'secret1' }, TEXTS.allFieldsRequired, 'email'],
    [{ name: 'A', email: 'a@b.co', password: '' }, TEXTS.allFieldsRequired, 'password'],
    [{ name: 'A', email: 'nobody', password: 'secret1' }, TEXTS.emailInvalid, 'email'],
    [{ name: 'A', email: 'a@b.co', password: '12345' }, TEXTS.passwordTooShort, 'password'],
    [{ name: 7, email: 'a@b.co', password: '123456' }, TEXTS.allFieldsRequired, 'name'],
    [{ name: 'A\0', email: 'a@b.co', password: '123456' }, 'must not contain the character NUL', 'name'],
  ])('rejects %j with a message and the name of the field', async (body, message, field) => {
    const error = await register(body);
    expect(error).toMatchObject({ status: 400, code: 'validation_failed', message });
    expect(error.details?.fields?.map((one) => one.path)).toContain(field);
    expect(error.requestId).toBeTruthy();
  });

  test('refuses a taken address regardless of letter case, and in concurrent requests', async () => {
    const body = { name: 'A', email: 'taken@test.example', password: 'secret1' };
    const outcomes = await Promise.allSettled(
      [body, { ...body, email: 'TAKEN@test.example' }, body].map((one) =>
        server.anyone.call(routes.auth.register, { body: one }),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 409, code: 'email_taken' });
  });

  test('of an organization makes the user its owner and starts its free trial', async () => {
    const body = {
      name: 'Olga',
      email: 'olga@acme.example',
      password: 'secret1',
      organizationName: 'Acme',
      organizationSlug: 'acme-1',
    };
    const { user, organization } = await server.anyone.call(routes.auth.registerOrganization, { body });
    expect(user).toMatchObject({ email: 'olga@acme.example', userType: 'organization_member' });
    expect(organization).toMatchObject({
      name: 'Acme',
      slug: 'acme-1',
      plan: 'free_trial',
      role: 'owner',
      memberCount: 1,
      demo: false,
    });
    const again = { ...body, email: 'other@acme.example' };
    const taken = await refusal(server.anyone.call(routes.auth.registerOrganization, { body: again }));
    expect(taken).toMatchObject({ status: 409, code: 'slug_taken' });
    // The refused registration has stored nothing, so the address is still available.
    await signUp(server, { email: 'other@acme.example' });
  });

  test.each(['Acme', 'a b', 'аcme', 'a_b', '', '---', 'x'.repeat(64)])(
    'refuses the slug %j',
    async (organizationSlug) => {
      const body = { name: 'A', email: 'slug@test.example', password: 'secret1', organizationName: 'A' };
      const error = await refusal(
        server.anyone.call(routes.auth.registerOrganization, { body: { ...body, organizationSlug } }),
      );
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(error.details?.fields?.[0]?.path).toBe('organizationSlug');
    },
  );

  test('ignores a role, a plan or an id in the request body', async () => {
    const sneaky = {
      id: crypto.randomUUID(),
      role: 'owner',
      userType: 'organization_member',
      plan: 'enterprise_plus',
    };
    const body = { name: 'S', email: 'sneaky@test.example', password: 'secret1', ...sneaky };
    const { user, organization } = await server.anyone.call(routes.auth.registerSolo, { body });
    expect(user.userType).toBe('solo');
    expect(user.id).not.toBe(sneaky.id);
    expect(organization).toBeNull();
  });

  test('assigns a slug only once in concurrent requests', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((one) =>
        server.anyone.call(routes.auth.registerOrganization, {
          body: {
            name: 'A',
            email: `race-${one}@test.example`,
            password: 'secret1',
            organizationName: 'Race',
            organizationSlug: 'race',
          },
        }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const slug = await server.anyone.call(routes.orgs.slug, { params: { slug: 'race' } });
    expect(slug).toEqual({ slug: { name: 'race', available: false } });
  });

  test('offers users without an account the kinds of account that they can register: solo and organization', async () => {
    const { types } = await server.anyone.call(routes.auth.registrationTypes, {});
    expect(types.map((type) => type.id)).toEqual(['solo', 'organization']);
  });
});

describe('login', () => {
  test('accepts the address in any letter case, and a password in any script', async () => {
    const person = await signUp(server, { password: 'пароль-é' });
    const again = await logIn(server, person.email.toUpperCase(), 'пароль-é'.normalize('NFD'));
    expect(again.user).toEqual(person.user);
    expect(again.token).not.toBe(person.token);
  });

  test('returns the same error for an unknown account and for a wrong password', async () => {
    const person = await signUp(server);
    const wrong = await refusal(logIn(server, person.email, 'not it'));
    const unknown = await refusal(logIn(server, 'nobody@test.example', 'not it'));
    expect(wrong).toMatchObject({ status: 401, code: 'invalid_credentials', message: 'Invalid credentials' });
    expect({ ...unknown, requestId: '' }).toEqual({ ...wrong, requestId: '' });
  });

  test('requires an email address and a password', async () => {
    const error = await refusal(server.anyone.call(routes.auth.login, { body: { email: '', password: '' } }));
    expect(error).toMatchObject({ status: 400, message: TEXTS.loginRequired });
  });

  test('limits guesses, returns Retry-After, and accepts the correct password after that time', async () => {
    const person = await signUp(server);
    const guesses = Array.from({ length: 12 }, () => refusal(logIn(server, person.email, 'a guess')));
    const codes = (await Promise.all(guesses)).map((error) => error.code);
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    const answer = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: person.password }),
    });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    clock.advance(MINUTE_MS);
    await logIn(server, person.email, person.password);
  });
});

describe('a session', () => {
  const session = (token: string) => server.as(token).call(routes.auth.session, {});

  test.each(['', 'nonsense', 'Bearer', 'x'.repeat(5000), 'ünï'])(
    'cannot be used with the token %j',
    async (token) => {
      const answer = await fetch(`${server.url}/api/auth/session`, {
        headers: { authorization: Buffer.from(`Bearer ${token}`).toString('latin1') },
      });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'unauthenticated' } });
    },
  );

  test('ends at logout, and other sessions continue', async () => {
    const first = await signUp(server);
    const second = await logIn(server, first.email, first.password);
    await first.client.call(routes.auth.logout, {});
    expect(await refusal(session(first.token))).toMatchObject({ status: 401, code: 'unauthenticated' });
    await session(second.token);
  });

  test('expires after a week without use', async () => {
    const person = await signUp(server);
    clock.advance(6 * DAY_MS);
    await session(person.token);
    clock.advance(6 * DAY_MS);
    await session(person.token);
    clock.advance(7 * DAY_MS + MINUTE_MS);
    expect(await refusal(session(person.token))).toMatchObject({ status: 401 });
  });

  test('expires after a month, even if it is in use', async () => {
    const person = await signUp(server);
    for (let day = 0; day < 30; day += 5) {
      await session(person.token);
      clock.advance(5 * DAY_MS);
    }
    clock.advance(MINUTE_MS);
    expect(await refusal(session(person.token))).toMatchObject({ status: 401 });
  });
});
