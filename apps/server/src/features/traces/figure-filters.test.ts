import { routes, type TraceListQuery } from '@throughline/contract';
import { aTrace, type Person, refusal, sendTraces } from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { beforeAll, describe, expect, test } from 'vitest';

/** Filters that analytics link with: each must find the requests that a figure counted, and no others. */
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
        step('3', 'load', 'function'),
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
        attributes: otlpAttributes({ 'db.system.name': 'postgresql' }),
      }),
    ]),
  );
});

const list = (person: Person, query: Filters) =>
  person.client.call(routes.traces.list, { query: { projectId: scene.project.id, ...query } as never });
const pathsOf = async (query: Filters) =>
  (await list(scene.person, query)).traces.map(({ request }) => request.path).sort();

describe('the list shows what a figure is of', () => {
  const orders = '/api/v1/orders/17';
  test.each<[Filters, string[]]>([
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
    [{ minSteps: 1, maxSteps: 2, service: 'shop' }, ['/orders']],
    [{ maxSteps: 0 }, ['/orders/17']],
    [{ minSteps: 3 }, [orders]],
    [{ statusClass: '2xx' }, [orders]],
    [{ statusClass: '4xx' }, ['/orders/17']],
    [{ statusClass: 'other' }, ['/orders', '/pay']],
    [{ users: 'known' }, ['/orders', orders]],
    [{ users: 'unknown' }, ['/orders/17', '/pay']],
  ])('with %j', async (query, paths) => {
    expect(await pathsOf(query)).toEqual(
      paths.map((path) => (path === orders ? `${orders}?x=1` : path)).sort(),
    );
    const facets = await scene.person.client.call(routes.traces.facets, {
      query: { projectId: scene.project.id, ...query } as never,
    });
    expect(facets.total).toBe(paths.length);
  });

  test.each([
    [{ country: 'Germany' }, 'country'],
    [{ stepType: 'wait' }, 'stepType'],
    [{ minSteps: -1 }, 'minSteps'],
    [{ maxSteps: 'many' }, 'maxSteps'],
    [{ statusClass: '5xx' }, 'statusClass'],
    [{ users: 'all' }, 'users'],
  ])('but refuses %j, by name', async (query, path) => {
    const refused = await refusal(list(scene.person, query));
    expect(refused).toMatchObject({ status: 400, details: { fields: [{ path }] } });
  });

  test('and nothing of anybody else, whose steps and users have the same names', async () => {
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
    ]) {
      expect((await refusal(list(eve, query))).status).toBe(404);
      const own = await list(eve, { ...query, projectId: project.id });
      expect(own.traces.every(({ request }) => request.path === '/eve')).toBe(true);
    }
    expect(await pathsOf({ stepName: 'mine' })).toEqual([]);
  });

  test('as does the live feed, though a row does not say', async () => {
    const { person, project } = await newcomer(scene.server);
    const stop = new AbortController();
    const query = { projectId: project.id, user: 'ada', stepName: 'load' };
    const { body } = await person.client.open(routes.traces.stream, { query, signal: stop.signal });
    const flow = [step('1', 'load', 'function')];
    const user = { id: 'ada' };
    await sendTraces(scene.server, project.apiKey, [aTrace({ user }), aTrace({ flow })]);
    await sendTraces(scene.server, project.apiKey, [
      aTrace({ user, flow, request: { method: 'PUT', path: '/x' } }),
    ]);
    let text = '';
    for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (/event: trace[\s\S]*\n\n/.test(text)) break;
    }
    stop.abort();
    expect(text.match(/"path":"[^"]*"/g)).toEqual(['"path":"/x"']);
  });
});
