import { routes } from '@throughline/contract';
import {
  createFakeClock,
  logIn,
  makeProject,
  type Person,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_LOGINS, DEMO_PASSWORD } from '../demo/index.ts';

const HOUR_MS = 3_600_000;
const calls = routes.projects;
const clock = createFakeClock();
let server: TestServer;
let owner: Person;
let admin: Person;
let developer: Person;

const demoLogin = (role: string) => {
  const login = DEMO_LOGINS.find((one) => one.role === role);
  return logIn(server, login?.email ?? '', DEMO_PASSWORD);
};

beforeAll(async () => {
  // The demo workspace is an organization on the largest plan, with one member of each role.
  server = await startServer({ clock, demo: true });
  await server.app.demo.ensure();
});
beforeEach(async () => {
  [owner, admin, developer] = await Promise.all([
    demoLogin('owner'),
    demoLogin('admin'),
    demoLogin('developer'),
  ]);
});
afterAll(() => server.stop());

const list = async (person: Person) => (await person.client.call(calls.list, {})).projects;
const create = (person: Person, body: { name: string; organizationId?: string | null }) =>
  person.client.call(calls.create, { body });

describe('a solo developer', () => {
  test('sees only their own projects, and can change and delete them', async () => {
    const [person, other] = [await signUp(server), await signUp(server)];
    expect(await list(person)).toEqual([]);
    const { id, apiKey } = await makeProject(person, '  Größe 🚀  ');
    expect(apiKey).toMatch(/^tl_[0-9A-Za-z]{40}$/);
    expect(await list(person)).toMatchObject([
      { id, name: 'Größe 🚀', organizationId: null, apiKey: `tl_••••••••${apiKey.slice(-4)}`, traceCount: 0 },
    ]);
    expect(await list(other)).toEqual([]);

    const change = { params: { id }, body: { description: 'of things' } };
    const { project } = await person.client.call(calls.update, change);
    expect(project).toMatchObject({ name: 'Größe 🚀', description: 'of things' });
    await person.client.call(calls.remove, { params: { id } });
    expect(await list(person)).toEqual([]);
    expect(await refusal(person.client.call(calls.read, { params: { id } }))).toMatchObject({ status: 404 });
  });

  test.runIf(isThorough())('sees how many days ago a project was created', async () => {
    const person = await signUp(server);
    const { id } = await makeProject(person);
    clock.advance(49 * HOUR_MS);
    const { project } = await person.client.call(calls.read, { params: { id } });
    expect(project.daysActive).toBe(2);
  });

  test.each(
    pickRows(
      [
        [{}, 'Project name is required'],
        [{ name: '   ' }, 'Project name is required'],
        [{ name: 'x'.repeat(101) }, 'Project name must be at most 100 characters long'],
        [[], 'Project name is required'],
      ],
      { usually: 1 },
    ),
  )('cannot create a project with %j', async (body, message) => {
    const person = await signUp(server);
    const error = await refusal(person.client.call(calls.create, { body: body as never }));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    if (!Array.isArray(body)) expect(error.message).toBe(message);
  });

  test('cannot create more projects than the plan allows, not even with concurrent requests', async () => {
    const person = await signUp(server);
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => create(person, { name })));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const answer = await fetch(server.url + calls.create.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: '{"name":"one more"}',
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      upgradeRequired: true,
      error: { code: 'plan_limit', details: { upgradeRequired: true, limit: 1, used: 1 } },
    });
  });

  test("cannot create a project in somebody else's organization", async () => {
    const person = await signUp(server);
    const organizationId = (await owner.client.call(routes.auth.session, {})).organization?.id ?? '';
    expect(await refusal(create(person, { name: 'x', organizationId }))).toMatchObject({ status: 404 });
    expect(await refusal(create(person, { name: 'x', organizationId: 'nonsense' }))).toMatchObject({
      status: 404,
    });
  });
});

describe("an organization's members", () => {
  test('see the same projects', async () => {
    const { project } = await create(admin, { name: 'shared' });
    for (const person of [owner, admin, developer]) {
      expect((await list(person)).map((one) => one.id)).toContain(project.id);
    }
    const { organization } = await developer.client.call(routes.auth.session, {});
    expect(project.organizationId).toBe(organization?.id);
    const ofIt = await developer.client.call(calls.listOfOrganization, {
      params: { id: organization?.id ?? '' },
    });
    expect(ofIt.projects.map((one) => one.id)).toContain(project.id);
    await owner.client.call(calls.remove, { params: { id: project.id } });
  });

  test('can change and delete a project as admins, and only read its API key as developers', async () => {
    const { project } = await create(owner, { name: 'roles' });
    const params = { id: project.id };
    const { apiKey } = await developer.client.call(calls.apiKey, { params });
    expect(apiKey).toMatch(/^tl_/);
    const refused = [
      create(developer, { name: 'x' }),
      developer.client.call(calls.update, { params, body: { name: 'x' } }),
      developer.client.call(calls.remove, { params }),
      developer.client.call(calls.regenerateApiKey, { params }),
    ];
    for (const error of await Promise.all(refused.map(refusal))) {
      expect(error).toMatchObject({ status: 403, code: 'forbidden' });
    }
    await admin.client.call(calls.update, { params, body: { name: 'renamed' } });
    await admin.client.call(calls.remove, { params });
  });
});
