import { randomUUID } from 'node:crypto';
import { routes, type TraceListQuery } from '@throughline/contract';
import { aTrace, type Person, refusal, sendTraces } from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { beforeAll, describe, expect, test } from 'vitest';
import { watch } from './live/fixtures/watch.ts';

/** Tests the filters to which the Analytics page links. Each filter must find exactly the requests that the page counted. */
const scene = sceneOfFile();

type Filters = Partial<Record<keyof TraceListQuery, string | number>>;

const step = (stepId: string, stepName: string, stepType: 'database' | 'http' | 'function', more = {}) => ({
  stepId,
  stepName,
  stepType,
  startTime: new Date().toISOString(),
  duration: 1,
  ...more,
});

beforeAll(async () => {
  await sendTraces(scene.server, scene.project.apiKey, [
    aTrace({
      request: { method: 'GET', path: '/api/v1/orders/17?x=1', headers: { 'cf-ipcountry': 'fr' } },
      user: { id: 'Ünal 1' },
      sessionId: 's 1',
      flow: [
        step('1', 'SELECT orders', 'database', { metadata: { 'db.system': 'PostgreSQL' } }),
        step('2', 'GET api.example.com/items/17', 'http'),
        step('3', 'load', 'function', { error: { message: 'no cart' } }),
        step('4', 'price', 'function', { repeat: { count: 7, minMs: 0.1, sumMs: 1, maxMs: 0.4 } }),
        step('5', 'price', 'function'),
      ],
    }),
    aTrace({
      request: { method: 'POST', path: '/orders', route: '/orders' },
      response: { statusCode: 500 },
      error: { hasError: true, errorMessage: 'order 17 of 5f3a9c2e77 not found' },
      user: { id: 'ada' },
      flow: [step('1', 'load', 'function')],
    }),
    aTrace({ request: { method: 'GET', path: '/orders/17' }, response: { statusCode: 404 } }),
  ]);
  await sendSpans(
    scene.server,
    scene.project.apiKey,
    otlpRequest('billing', [
      otlpSpan(1, undefined, {
        attributes: otlpAttributes({ 'http.request.method': 'GET', 'url.path': '/pay' }),
      }),
      otlpSpan(2, 1, {
        name: 'SELECT carts',
        kind: 3,
        attributes: otlpAttributes({ 'db.system.name': 'postgresql', 'db.query.text': 'SELECT 1' }),
        status: { code: 2 },
      }),
      // A different query with the same name, and the first query with different values.
      ...['SELECT now()', 'SELECT 22'].map((text, at) =>
        otlpSpan(3 + at, 1, {
          name: 'SELECT carts',
          kind: 3,
          attributes: otlpAttributes({ 'db.system.name': 'postgresql', 'db.query.text': text }),
        }),
      ),
    ]),
  );
});

const list = (person: Person, query: Filters) =>
  person.client.call(routes.traces.list, { query: { projectId: scene.project.id, ...query } as never });
const listPaths = async (query: Filters) =>
  (await list(scene.person, query)).traces.map(({ request }) => request.path).sort();

describe('a list that is opened from a stat shows the counted requests', () => {
  const orders = '/api/v1/orders/17';
  test.each<[Filters, string[]]>(
    pickRows(
      [
        [{ user: 'Ünal 1' }, [orders]],
        [{ user: 'unal 1' }, []],
        [{ user: '' }, ['/orders', '/orders/17', '/pay', orders]],
        [{ session: 's 1' }, [orders]],
        [{ country: 'fr' }, [orders]],
        [{ country: 'ZZ' }, ['/orders', '/orders/17', '/pay']],
        [{ endpoint: '/orders/:id' }, ['/orders/17']],
        [{ endpoint: '/orders' }, ['/orders']],
        [{ endpoint: '/orders', method: 'GET' }, []],
        [{ endpoint: '/api/v1/orders/:id' }, [orders]],
        [{ feature: 'orders' }, ['/orders', '/orders/17', orders]],
        [{ errorGroup: 'order … of … not found' }, ['/orders']],
        [{ errorGroup: 'HTTP 404' }, ['/orders/17']],
        [{ stepName: 'load' }, ['/orders', orders]],
        [{ stepName: 'load', user: 'ada' }, ['/orders']],
        [{ stepName: 'load', stepType: 'database' }, []],
        [{ stepName: 'GET api.example.com/items/:id' }, [orders]],
        [{ stepName: 'GET api.example.com/items/17' }, []],
        [{ stepName: 'SELECT carts' }, ['/pay']],
        [{ stepType: 'database' }, ['/pay', orders]],
        [{ dependency: 'postgresql' }, ['/pay', orders]],
        [{ dependency: 'api.example.com', stepType: 'http' }, [orders]],
        [{ stepName: 'load', stepStatus: 'error' }, [orders]],
        [{ stepName: 'load', stepStatus: 'success' }, ['/orders']],
        [{ dependency: 'postgresql', stepStatus: 'error' }, ['/pay']],
        [{ stepStatus: 'error' }, ['/pay', orders]],
        [{ stepName: 'price', minCalls: 8 }, [orders]],
        [{ stepName: 'price', minCalls: 9 }, []],
        [{ stepName: 'SELECT carts', stepType: 'database', minCalls: 2 }, ['/pay']],
        [{ stepName: 'SELECT carts', minCalls: 3 }, []],
        [{ minCalls: 1, stepStatus: 'error' }, ['/pay', orders]],
        [{ requests: '' }, ['/orders', '/orders/17', '/pay', orders]],
        [{ minSteps: 1, maxSteps: 2, service: 'shop' }, ['/orders']],
        [{ maxSteps: 0 }, ['/orders/17']],
        [{ minSteps: 3 }, ['/pay', orders]],
        [{ statusClass: '2xx' }, [orders]],
        [{ statusClass: '4xx' }, ['/orders/17']],
        [{ statusClass: '5xx' }, ['/orders']],
        [{ statusClass: 'other' }, ['/orders', '/pay']],
        [{ errorText: 'ORDER 17' }, ['/orders']],
        [{ errorText: 'order 18' }, []],
        [{ users: 'known' }, ['/orders', orders]],
        [{ users: 'unknown' }, ['/orders/17', '/pay']],
      ],
      { usually: 12 },
    ),
  )('with the filter %j', async (query, paths) => {
    expect(await listPaths(query)).toEqual(
      paths.map((path) => (path === orders ? `${orders}?x=1` : path)).sort(),
    );
    const facets = await scene.person.client.call(routes.traces.facets, {
      query: { projectId: scene.project.id, ...query } as never,
    });
    expect(facets.total).toBe(paths.length);
  });

  test.each(
    pickRows(
      [
        [{ country: 'Germany' }, 'country'],
        [{ stepType: 'wait' }, 'stepType'],
        [{ minSteps: -1 }, 'minSteps'],
        [{ maxSteps: 'many' }, 'maxSteps'],
        [{ statusClass: '6xx' }, 'statusClass'],
        [{ users: 'all' }, 'users'],
        [{ stepStatus: 'failed' }, 'stepStatus'],
        [{ minCalls: 0 }, 'minCalls'],
        [{ requests: 'all' }, 'requests'],
      ],
      { usually: 3 },
    ),
  )('and an invalid filter %j is rejected with the name of the field', async (query, path) => {
    const refused = await refusal(list(scene.person, query));
    expect(refused).toMatchObject({ status: 400, details: { fields: [{ path }] } });
  });

  test('with a list of ids in upper or lower case', async () => {
    const { traces } = await list(scene.person, { feature: 'orders' });
    const [one, other] = traces.map(({ _id }) => _id);
    if (one === undefined || other === undefined) throw new Error('there are fewer than two');
    const some = await list(scene.person, { requests: `${one.toUpperCase()},${other},${randomUUID()}` });
    expect(some.traces.map(({ _id }) => _id)).toEqual([one, other]);
    const { person: eve, project } = await newcomer(scene.server);
    expect((await list(eve, { projectId: project.id, requests: one })).total).toBe(0);
    const tooMany = Array.from({ length: 101 }, () => one).join(',');
    expect((await refusal(list(scene.person, { requests: tooMany }))).message).toContain('1 to 100 ids');
  });

  test('with ids of requests that started and were sent at different times', async () => {
    const { person, project } = await newcomer(scene.server);
    for (const minutesAgo of [5, 20, 50]) {
      const startTime = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      await sendTraces(scene.server, project.apiKey, [aTrace({ timing: { startTime, duration: 1 } })]);
    }
    const ids = (await list(person, { projectId: project.id })).traces.map(({ _id }) => _id);
    const [newest, , oldest] = ids;
    const some = await list(person, { projectId: project.id, requests: [oldest, newest].join(',') });
    expect(some.traces.map(({ _id }) => _id)).toEqual([newest, oldest]);
  });

  test('with a path so long that its first 500 characters form the endpoint', async () => {
    const { person: eve, project } = await newcomer(scene.server);
    const path = `/search/${'ä'.repeat(7000)}`;
    await sendTraces(scene.server, project.apiKey, [aTrace({ request: { method: 'GET', path } })]);
    const found = await list(eve, { endpoint: path.slice(0, 500), projectId: project.id });
    expect(found.traces.map(({ request }) => request.path)).toEqual([path]);
    expect((await list(eve, { endpoint: path.slice(0, 501), projectId: project.id })).total).toBe(0);
  });

  test('without requests of other accounts whose steps and users have the same names', async () => {
    const { person: eve, project } = await newcomer(scene.server);
    await sendTraces(scene.server, project.apiKey, [
      aTrace({
        request: { method: 'GET', path: '/eve' },
        user: { id: 'ada' },
        flow: [step('1', 'mine', 'function')],
      }),
    ]);
    for (const query of [
      { user: 'ada' },
      { stepName: 'load' },
      { dependency: 'postgresql' },
      { stepName: 'mine' },
      { stepStatus: 'error' },
      { minCalls: 1 },
    ]) {
      expect((await refusal(list(eve, query))).status).toBe(404);
      const own = await list(eve, { ...query, projectId: project.id });
      expect(own.traces.every(({ request }) => request.path === '/eve')).toBe(true);
    }
    expect(await listPaths({ stepName: 'mine' })).toEqual([]);
  });

  test.runIf(isThorough())(
    'in the live feed, too, although the rows of the feed lack the filtered fields',
    async () => {
      const { person, project } = await newcomer(scene.server);
      const query = { projectId: project.id, user: 'ada', stepName: 'load', stepStatus: 'error' as const };
      const feed = await watch(person, query);
      const flow = [step('1', 'load', 'function', { error: { message: 'no' } })];
      const user = { id: 'ada' };
      await sendTraces(scene.server, project.apiKey, [
        aTrace({ user, flow: [step('1', 'load', 'function')] }),
        aTrace({ flow }),
      ]);
      await sendTraces(scene.server, project.apiKey, [
        aTrace({ user, flow, request: { method: 'PUT', path: '/x' } }),
      ]);
      expect((await feed.next())?.request.path).toBe('/x');
      feed.stop();
    },
  );
});
