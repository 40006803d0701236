import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { generateVisits, type Visit } from './visits.ts';

let shop: TestServer;
let seen: Asked[];
beforeAll(async () => {
  shop = await startTestServer();
  seen = await walk(7, 48);
});
afterAll(() => shop.stop());

interface Asked {
  readonly path: string;
  readonly status: number;
}

/** Lists the requests and responses of the first `count` visits that `generateVisits` yields for a seed. */
async function walk(seed: number, count: number): Promise<Asked[]> {
  const asked: Asked[] = [];
  const visitor = shop.visitor();
  const { get, post } = { get: visitor.get.bind(visitor), post: visitor.post.bind(visitor) };
  const note = async (path: string, asking: ReturnType<typeof get>) => {
    const answer = await asking;
    asked.push({ path: path.replace(/\d+$/, ':id'), status: answer.status });
    return answer;
  };
  visitor.get = (path) => note(path, get(path));
  visitor.post = (path, body) => note(path, post(path, body));
  for (const visit of take(seed, count)) await visit.run(visitor);
  return asked;
}

function take(seed: number, count: number): Visit[] {
  return generateVisits(createRandom(seed)).take(count).toArray();
}

it.runIf(isThorough())(
  'exactly one in eight checkouts fails, and the same checkouts fail after every start',
  async () => {
    const checkouts = seen.filter(({ path }) => path === '/checkout').map(({ status }) => status);
    expect(checkouts).toHaveLength(24);
    for (let start = 0; start < 24; start += 8) {
      expect(checkouts.slice(start, start + 8).filter((status) => status === 500)).toHaveLength(1);
    }
    const again = (await walk(7, 16)).filter(({ path }) => path === '/checkout');
    expect(again.map(({ status }) => status)).toEqual(checkouts.slice(0, again.length));
  },
);

it.runIf(isThorough())('visitors request every kind of page, including pages that do not exist', () => {
  const routes = new Set(seen.map(({ path }) => path.replace(/\?.*/, '')));
  for (const path of [
    '/users',
    '/users/:id',
    '/posts',
    '/posts/:id',
    '/health',
    '/products',
    '/reports/sales',
  ]) {
    expect(routes).toContain(path);
  }
  const statuses = new Set(seen.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([200, 201, 400, 404, 500]);
  expect(new Set(take(7, 12).map(({ kind }) => kind)).size).toBe(6);
});
