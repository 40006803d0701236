import { routes } from '@throughline/contract';
import { aTrace, makeOrganization, makeProject, refusal, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';

const file = serverOfFile();
const HOUR_AGO_MS = Date.now() - 3_600_000;

async function aProject() {
  const { owner } = await makeOrganization(file.server, 'enterprise_plus');
  return { owner, project: await makeProject(owner) };
}

/** Builds a successful request that can complete a step of a funnel. */
function visit(path: string, minute: number, session: string, user: string) {
  return aTrace({
    request: { method: 'GET', path, route: path },
    response: { statusCode: 200 },
    timing: { startTime: new Date(HOUR_AGO_MS + minute * 60_000).toISOString(), duration: 20 },
    ...(user !== '' && { user: { id: user } }),
    ...(session !== '' && { sessionId: session }),
  });
}

/** Returns how many persons completed each step of a funnel from the products over the login to the orders. */
async function countFunnel(...visits: readonly ReturnType<typeof visit>[]): Promise<number[]> {
  const { owner, project } = await aProject();
  await sendTraces(file.server, project.apiKey, visits, { name: 'shop' });
  const params = { id: project.id };
  const steps = ['/products', '/login', '/orders'].map((path) => ({ method: 'GET', path }));
  await owner.client.call(routes.analytics.setFunnel, { params, body: { steps } });
  const { business } = await owner.client.call(routes.analytics.business, { params, query: {} });
  return business.conversionFunnel.steps.map(({ userCount }) => userCount);
}

describe('a funnel', () => {
  test('counts requests of a session before its login as requests of the user who logged in', async () => {
    const counts = await countFunnel(
      // A user who visits, logs in, and orders counts as one person.
      visit('/products', 1, 'first', ''),
      visit('/login', 2, 'first', 'ada'),
      visit('/orders', 3, 'first', 'ada'),
      // The user returns in another session, at first anonymously.
      visit('/products', 10, 'second', ''),
      visit('/login', 11, 'second', 'ada'),
      // Two users use the same session, one after the other.
      visit('/products', 20, 'shared', ''),
      visit('/login', 21, 'shared', 'bob'),
      visit('/products', 22, 'shared', ''),
      visit('/login', 23, 'shared', 'cyd'),
      visit('/orders', 24, 'shared', ''),
      // This session's user is never known.
      visit('/products', 30, 'unknown', ''),
    );
    // First step: ada, bob, cyd and the unknown user. Second step: ada, bob and cyd. Third step: ada and cyd.
    expect(counts).toEqual([4, 3, 2]);
  });

  test('counts a later step without a user as a step of the user who then logs in', async () => {
    const counts = await countFunnel(
      visit('/products', 1, 'first', 'ada'),
      visit('/login', 10, 'second', ''),
      visit('/', 11, 'second', 'ada'),
    );
    expect(counts).toEqual([1, 1, 0]);
  });

  test('counts each user only once, and ignores requests that have neither a user nor a session', async () => {
    const counts = await countFunnel(
      visit('/products', 1, 'first', 'ada'),
      visit('/login', 2, 'second', 'ada'),
      visit('/products', 3, '', 'bob'),
      visit('/products', 4, '', ''),
    );
    expect(counts).toEqual([2, 1, 0]);
  });

  test('is counted for its new steps after a change, even while a request for the counts of the old steps is running', async () => {
    const { owner, project } = await aProject();
    const params = { id: project.id };
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const query = { startDate: day(3), endDate: day(2), timeZone: 'UTC' };
    const define = (...paths: readonly string[]) =>
      owner.client.call(routes.analytics.setFunnel, {
        params,
        body: { steps: paths.map((path) => ({ method: 'GET', path })) },
      });
    const readPaths = async () => {
      const { business } = await owner.client.call(routes.analytics.business, { params, query });
      return business.conversionFunnel.steps.map(({ path }) => path);
    };
    await define('/old', '/older');
    // The analyses of a project run one after the other, so these 60 requests keep the next request waiting.
    const others = Array.from({ length: 60 }, (_, at) =>
      owner.client.call(routes.analytics.performance, { params, query: { ...query, service: `s${at}` } }),
    );
    const earlier = readPaths();
    await define('/new', '/newer');
    expect(await readPaths()).toEqual(['/new', '/newer']);
    await Promise.all([earlier, ...others]);
    expect(await readPaths()).toEqual(['/new', '/newer']);
  });

  test('has the steps that the project defined, and no steps before the project defined any', async () => {
    const { owner, project } = await aProject();
    const { id } = project;
    const params = { id };
    expect((await owner.client.call(routes.analytics.funnel, { params })).funnel.steps).toEqual([]);
    const steps = [
      { method: 'get', path: '/cart' },
      { method: 'POST', path: '/orders', name: 'Order' },
    ];
    const { funnel } = await owner.client.call(routes.analytics.setFunnel, { params, body: { steps } });
    expect(funnel.steps).toEqual([
      { method: 'GET', path: '/cart', name: '' },
      { method: 'POST', path: '/orders', name: 'Order' },
    ]);
    for (const bad of [[steps[0]], [steps[1], steps[1]], Array(11).fill(steps[0])]) {
      const body = { steps: bad.flatMap((step) => step ?? []) };
      const refused = await refusal(owner.client.call(routes.analytics.setFunnel, { params, body }));
      expect(refused.code).toBe('validation_failed');
    }
    await owner.client.call(routes.analytics.setFunnel, { params, body: { steps: [] } });
    expect((await owner.client.call(routes.analytics.funnel, { params })).funnel.steps).toEqual([]);
  });
});
