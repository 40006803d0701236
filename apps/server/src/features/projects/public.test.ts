import { routes } from '@throughline/contract';
import {
  createFakeClock,
  join,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';

const calls = routes.projects;
const clock = createFakeClock();
let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startServer({ clock, env: { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' } });
  person = await signUp(server);
});
afterAll(() => server.stop());

const turn = (who: Person, id: string, open: boolean) =>
  who.client.call(calls.update, { params: { id }, body: { public: open } });
const listed = async () => (await server.anyone.call(calls.listPublic, {})).projects;

test('a project is private until it is made public; it is then listed without its API key and organization', async () => {
  const { id, project } = await makeProject(person, 'open shop');
  expect(project.public).toBe(false);
  expect(await listed()).toEqual([]);
  expect((await turn(person, id, true)).project.public).toBe(true);
  const shown = { id, name: 'open shop', description: '', createdAt: project.createdAt };
  expect(await listed()).toEqual([shown]);
  expect(await server.anyone.call(calls.readPublic, { params: { id } })).toEqual({ project: shown });
  await turn(person, id, false);
  expect(await listed()).toEqual([]);
  expect(await refusal(server.anyone.call(calls.readPublic, { params: { id } }))).toMatchObject({
    status: 404,
  });
});

test.each(['x', '%00', "' or 1=1", '01a1fe03-bb50-7231-9674-6d3e7bef65b1'])(
  'the project id %j gives 404 for public viewers',
  async (id) => {
    const answer = await fetch(`${server.url}/api/projects/public/${encodeURIComponent(id)}`);
    expect(answer.status).toBe(404);
  },
);

test.each(pickRows([['yes'], [1], [null]], { usually: 1 }))(
  "setting a project's public flag to %j is rejected",
  async (open) => {
    const { id } = await makeProject(await signUp(server));
    const error = await refusal(
      person.client.call(calls.update, { params: { id }, body: { public: open as never } }),
    );
    // A request for another tenant's project is answered with 404, even if the request is also invalid.
    expect(error.status).toBe(404);
    const stranger = await signUp(server);
    const own = await makeProject(stranger);
    const call = stranger.client.call(calls.update, {
      params: { id: own.id },
      body: { public: open as never },
    });
    expect(await refusal(call)).toMatchObject({
      code: 'validation_failed',
      message: 'public must be true or false',
    });
  },
);

test("owners and admins, but not developers, make an organization's project public, and the audit log records it", async () => {
  const { owner, organization } = await makeOrganization(server);
  const admin = await join(server, owner, organization, 'admin');
  const developer = await join(server, owner, organization, 'developer');
  const { id } = await makeProject(owner, 'ours');
  expect(await refusal(turn(developer, id, true))).toMatchObject({ status: 403, code: 'forbidden' });
  await turn(admin, id, true);
  await turn(admin, id, true);
  expect((await turn(owner, id, false)).project.public).toBe(false);
  const { entries } = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
  expect(entries.slice(0, 2).map(({ action, target }) => [action, target])).toEqual([
    ['project.unpublished', 'ours'],
    ['project.published', 'ours'],
  ]);
});

test('a deleted project is no longer public', async () => {
  const someone = await signUp(server);
  const { id } = await makeProject(someone, 'gone');
  await turn(someone, id, true);
  await someone.client.call(calls.remove, { params: { id } });
  expect((await listed()).map((project) => project.id)).not.toContain(id);
});

test('public viewers are limited to 120 requests per minute and IP address, and members are not', async () => {
  const { id } = await makeProject(await signUp(server));
  const paths = [
    '/api/projects/public',
    `/api/projects/public/${id}`,
    `/api/traces?projectId=${id}`,
    `/api/traces/${id}`,
    `/api/traces/${id}/steps/1`,
    `/api/traces/${id}/raw`,
  ];
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const statuses = await Promise.all(
    Array.from({ length: 126 }, async (_, place) => {
      const answer = await fetch(server.url + (paths[place % paths.length] ?? ''), {
        headers: from('198.51.100.9'),
      });
      await answer.body?.cancel();
      return answer;
    }),
  );
  const refused = statuses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(6);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  const other = await fetch(`${server.url}/api/projects/public`, { headers: from('198.51.100.10') });
  expect(other.status).toBe(200);
  const member = await fetch(`${server.url}/api/projects`, {
    headers: { ...from('198.51.100.9'), authorization: `Bearer ${person.token}` },
  });
  expect(member.status).toBe(200);
});
