import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { routes } from '@throughline/contract';
import {
  aTrace,
  logIn,
  makeProject,
  refusal,
  sendTraces,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { users } from '../../platform/control-store/index.ts';
import { DEMO_PASSWORD } from './index.ts';

let server: TestServer;
let shop: Server;
/** The requests that the server sent to a stand-in for the demo shop. The shop itself is a separate program with its own tests. */
const asked: Record<string, unknown>[] = [];
let shopWorks = true;

beforeAll(async () => {
  shop = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    asked.push({ path: request.url, ...JSON.parse(body) });
    response.writeHead(shopWorks ? 200 : 500, { 'content-type': 'application/json' });
    response.end('{"requests": 12}');
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const address = shop.address();
  const port = typeof address === 'object' ? address?.port : 0;
  server = await startServer({ demo: true, env: { DEMO_PORT: String(port) } });
});
afterAll(async () => {
  shop.close();
  await server.stop();
});

const as = (role: string) => logIn(server, `${role}@demo.example`, DEMO_PASSWORD);

/** Collects the API keys that the shop must send with, the newest last. */
async function collectKeys(): Promise<string[]> {
  const keys: string[] = [];
  await server.app.demo.followKey((apiKey) => keys.push(apiKey));
  return keys;
}

test('the demo workspace is an organization on the largest plan, with one login for each role', async () => {
  expect(await server.app.demo.ensure()).toBe(true);
  const [apiKey] = await collectKeys();
  for (const role of ['owner', 'admin', 'developer'] as const) {
    const { client } = await as(role);
    const { user, organization } = await client.call(routes.auth.session, {});
    expect(user.userType).toBe('organization_member');
    expect(organization).toMatchObject({
      name: 'Demo',
      plan: 'enterprise_plus',
      role,
      demo: true,
      memberCount: 3,
    });
    expect(organization?.limits.maxMembers).toBe(50);
    const { projects } = await client.call(routes.projects.list, {});
    expect(projects.map((project) => project.name)).toEqual(['shop']);
    const params = { id: projects[0]?.id ?? '' };
    expect(await client.call(routes.projects.apiKey, { params })).toEqual({ apiKey });
  }
});

test('the demo workspace is created once, even if it is requested several times at the same moment', async () => {
  await Promise.all([1, 2, 3].map(() => server.app.demo.ensure()));
  expect(await server.app.control.db.$count(users)).toBe(3);
});

test('the shop receives new API keys of its own project, and of no other project', async () => {
  const keys = await collectKeys();
  const owner = await as('owner');
  const { projects } = await owner.client.call(routes.projects.list, {});
  const stranger = await makeProject(await signUp(server));
  expect(stranger.id).not.toBe(projects[0]?.id);
  const { apiKey } = await owner.client.call(routes.projects.regenerateApiKey, {
    params: { id: projects[0]?.id ?? '' },
    body: {},
  });
  await expect.poll(() => keys).toEqual([expect.not.stringMatching(apiKey), apiKey]);
});

test("a request for traffic contains an API key only if the traffic is not for the shop's own project", async () => {
  const owner = await as('owner');
  const { projects } = await owner.client.call(routes.projects.list, {});
  const own = { body: { projectId: projects[0]?.id ?? '' } };
  expect(await owner.client.call(routes.demo.traffic, own)).toEqual({ requests: 12 });
  expect(asked.pop()).toEqual({ path: '/__traffic', requests: 12 });

  const stranger = await signUp(server);
  const { id, apiKey } = await makeProject(stranger);
  await stranger.client.call(routes.demo.traffic, { body: { projectId: id } });
  expect(asked.pop()).toEqual({
    path: '/__traffic',
    requests: 12,
    apiKey,
    url: server.url.replace('127.0.0.1', 'localhost'),
  });
  expect(await refusal(stranger.client.call(routes.demo.traffic, own))).toMatchObject({ status: 404 });
  expect(asked).toEqual([]);
});

test('a request for demo traffic fails with 503 if the shop does not respond', async () => {
  shopWorks = false;
  const owner = await as('owner');
  const { projects } = await owner.client.call(routes.projects.list, {});
  const call = owner.client.call(routes.demo.traffic, { body: { projectId: projects[0]?.id ?? '' } });
  expect(await refusal(call)).toMatchObject({ status: 503, code: 'unavailable' });
});

test('only the owner can delete the demo workspace, and other accounts keep their data', async () => {
  const [owner, developer, stranger] = [await as('owner'), await as('developer'), await signUp(server)];
  const kept = await makeProject(stranger);
  const [apiKey] = await collectKeys();
  await sendTraces(server, apiKey ?? '', [aTrace()]);
  await sendTraces(server, kept.apiKey, [aTrace()]);
  expect(await refusal(developer.client.call(routes.demo.remove, {}))).toMatchObject({ status: 403 });
  expect(await refusal(stranger.client.call(routes.demo.remove, {}))).toMatchObject({ status: 404 });

  await owner.client.call(routes.demo.remove, {});
  for (const { client } of [owner, developer]) {
    expect(await refusal(client.call(routes.auth.session, {}))).toMatchObject({ status: 401 });
  }
  expect(await refusal(as('owner'))).toMatchObject({ status: 401, code: 'invalid_credentials' });
  await expect(sendTraces(server, apiKey ?? '', [aTrace()])).rejects.toThrow('invalid_api_key');
  expect(await server.app.demo.ensure()).toBe(false);
  const { projects } = await stranger.client.call(routes.projects.list, {});
  expect(projects).toMatchObject([{ id: kept.id, traceCount: 1 }]);
});
