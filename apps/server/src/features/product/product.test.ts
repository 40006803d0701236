import { existsSync } from 'node:fs';
import { routes, SDK_TARBALL_PATH } from '@throughline/contract';
import {
  logIn,
  refusal,
  signUp,
  startPostgres,
  startServer,
  type TestPostgres,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../demo/index.ts';

let postgres: TestPostgres;
let server: TestServer;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await startServer({
    demo: true,
    env: {
      DATABASE_URL: await postgres.createDatabase('product'),
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
  });
});
afterAll(() => server.stop());

const { product } = routes;

test('the about route returns the version, the public URL, and whether the server is a demo and sells plans', async () => {
  const about = await server.anyone.call(product.about, {});
  expect(about).toEqual({
    version: '0.1.0',
    publicUrl: server.url.replace('127.0.0.1', 'localhost'),
    demo: true,
    plansForSale: true,
  });
});

test('a demo server with PostgreSQL has the demo workspace', async () => {
  await server.app.demo.ensure();
  const { client } = await logIn(server, 'owner@demo.example', DEMO_PASSWORD);
  const { organization } = await client.call(routes.auth.session, {});
  expect(organization).toMatchObject({
    plan: 'enterprise_plus',
    memberCount: 3,
    projectCount: 1,
    role: 'owner',
  });
  expect((await client.call(routes.projects.list, {})).projects).toMatchObject([{ name: 'shop' }]);
});

test('the OpenAPI description contains the path of every route', async () => {
  const description = await server.anyone.call(product.openApi, {});
  const paths = Object.values(routes)
    .flatMap((group) => Object.values(group))
    .map((route) => route.path.replace(/:(\w+)/g, '{$1}'));
  expect(Object.keys(description.paths ?? {}).sort()).toEqual([...new Set(paths)].sort());
});

test('the server returns the packed SDK, or an error that explains how to pack it', async () => {
  const answer = await fetch(server.url + SDK_TARBALL_PATH);
  const packed = existsSync(
    new URL('../../../../../packages/sdk/packed/throughline-node.tgz', import.meta.url),
  );
  expect(answer.status).toBe(packed ? 200 : 404);
  if (packed) {
    // The first two bytes of gzip data: the server has not compressed the file again.
    expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  } else expect(await answer.text()).toContain('npm run build');
});

test('the server reports that it is not ready while one of its stores is unavailable, and the process keeps running', async () => {
  const { client } = await signUp(server);
  expect(await server.anyone.call(product.ready, {})).toEqual({
    status: 'ready',
    stores: { control: 'up', traces: 'up' },
  });
  await postgres.stop();
  const notReady = await refusal(server.anyone.call(product.ready, {}));
  expect(notReady).toMatchObject({ status: 503, code: 'unavailable' });
  expect(notReady.message).toBe('The control store does not respond.');
  expect(await refusal(client.call(routes.projects.list, {}))).toMatchObject({
    status: 503,
    code: 'unavailable',
  });
  expect(await server.anyone.call(product.live, {})).toEqual({ status: 'live' });
});
