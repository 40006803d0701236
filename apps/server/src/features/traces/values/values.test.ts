import { routes, type TraceListQuery } from '@throughline/contract';
import { aTrace, refusal, sendTraces } from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { beforeAll, describe, expect, test } from 'vitest';
import { watch } from '../live/fixtures/watch.ts';

const scene = sceneOfFile();

const startTime = new Date().toISOString();
const step = (stepId: string, stepName: string, values: Record<string, unknown>) => ({
  stepId,
  stepName,
  startTime,
  duration: 1,
  ...(values as object),
});
const aRequest = (path: string, flow: ReturnType<typeof step>[], more: Record<string, unknown> = {}) =>
  aTrace({ ...more, request: { method: 'POST', path, ...(more.request as object) }, flow: flow as never });

const order = { id: 17, totalCents: 60_000, customer: { city: 'New York', zip: '10115' }, note: 'say "hi"' };

beforeAll(async () => {
  await sendTraces(scene.server, scene.project.apiKey, [
    aRequest('/large', [step('1', 'charge', { inputs: { order } })]),
    aRequest('/small', [
      step('1', 'charge', {
        inputs: { order: { ...order, totalCents: 900, customer: { city: 'York', zip: 10_115 } } },
      }),
    ]),
    // The SDK stores an object once: a later step refers to the step that had the object before.
    aRequest('/referred', [
      step('1', 'loadOrder', { outputs: { found: true, value: { totalCents: 70_000 } } }),
      step('2', 'charge', {
        inputs: { order: { $type: 'reference', step: '1', path: ['outputs', 'value'] }, ok: true },
      }),
    ]),
    // In the next two requests, a reference leads to a value that contains a further reference: to a third step, or into the same value.
    aRequest('/referred twice', [
      step('1', 'loadStock', { outputs: { left: { items: 7001 } } }),
      step('2', 'loadShop', {
        outputs: { stock: { $type: 'reference', step: '1', path: ['outputs', 'left'] } },
      }),
      step('3', 'reserve', { inputs: { shop: { $type: 'reference', step: '2', path: ['outputs'] } } }),
    ]),
    aRequest('/repeated', [
      step('1', 'loadPair', {
        outputs: { one: { weight: 5001 }, other: { $type: 'reference', path: ['outputs', 'one'] } },
      }),
      step('2', 'ship', { inputs: { pair: { $type: 'reference', step: '1', path: ['outputs'] } } }),
    ]),
    aRequest('/quote', [step('1', 'log', { inputs: { 'x"country': 'UK', 'x"zip': 99_999 } })]),
    aRequest('/accents', [step('1', 'prüfen', { inputs: { größe: { höhe: 6001 } } })]),
    // The next two requests match only a part of the path `charge.order.totalCents`: the first has `order.totalCents` in another function,
    // and the second has `totalCents` in another object than `order`.
    aRequest('/other function', [step('1', 'refund', { inputs: { order: { totalCents: 80_000 } } })]),
    aRequest('/other member', [step('1', 'charge', { inputs: { cart: { totalCents: 80_000 } } })]),
    aRequest('/list', [step('1', 'price', { outputs: { items: [{ cents: 1 }, { cents: 250 }] } })]),
    aRequest('/result', [step('1', 'countRows', { outputs: 4711 })]),
    aRequest('/bigint', [
      step('1', 'count', { inputs: { big: { $type: 'bigint', value: '9007199254740993' } } }),
    ]),
    aRequest('/body', [], { request: { body: { country: 'UK', age: 42 } } }),
    aRequest('/text body', [], { request: { body: '{"country":"UK","level":"gold"}' } }),
    aRequest('/answer', [], { response: { statusCode: 200, body: { stock: 'none left' } } }),
    aRequest('/named like it', [step('1', 'log', { inputs: { line: '{"country":"UK"}' } })]),
  ]);
  await sendSpans(
    scene.server,
    scene.project.apiKey,
    otlpRequest('shop', [
      otlpSpan(1, undefined, {
        attributes: otlpAttributes({ 'http.request.method': 'GET', 'url.path': '/spans' }),
      }),
      otlpSpan(2, 1, {
        name: 'SELECT carts',
        kind: 3,
        attributes: otlpAttributes({ 'db.system.name': 'postgresql', 'db.query.text': 'SELECT basket' }),
      }),
    ]),
  );
});

const list = (query: Partial<TraceListQuery>) =>
  scene.person.client.call(routes.traces.list, {
    query: { projectId: scene.project.id, ...query },
  });
const find = async (value: string, more: Partial<TraceListQuery> = {}) => {
  const { traces, total, search } = await list({ value, ...more });
  expect(search).toBeUndefined();
  expect(total).toBe(traces.length);
  return traces.map(({ request }) => request.path).sort();
};

describe('a search over captured values', () => {
  test.each([
    ['charge.order.totalCents>50000', ['/large', '/referred']],
    ['charge.order.totalCents<=900', ['/small']],
    ['charge.inputs.order.totalCents>50000', ['/large', '/referred']],
    ['order.totalCents>50000', ['/large', '/other function', '/referred']],
    ['reserve.shop.stock.items=7001', ['/referred twice']],
    ['reserve.stock.items>7000', []],
    ['loadShop.stock.items>7000', ['/referred twice']],
    ['ship.pair.other.weight=5001', ['/repeated']],
    ['other.weight>5000', ['/repeated']],
    ['refund.cart.totalCents>1', []],
    ['prüfen.größe.höhe>6000', ['/accents']],
    ['zip>50000', []],
    ['totalCents>=80000', ['/other function', '/other member']],
    ['totalCents=60000', ['/large']],
    ['totalCents=6e4', ['/large']],
    ['totalCents>9e9', []],
    ['city=York', ['/small']],
    ['customer.city="New York"', ['/large']],
    ['zip=10115', ['/large', '/small']],
    ['zip="10115"', ['/large']],
    ['found=true', ['/referred']],
    ['items.cents>200', ['/list']],
    ['price.items.cents>300', []],
    ['countRows.outputs=4711', ['/result']],
    ['big>9007199254740000', ['/bigint']],
    ['country=UK', ['/body', '/text body']],
    ['body.country=UK', ['/body', '/text body']],
    ['request.body.age>=42', ['/body']],
    ['response.body.stock="none left"', ['/answer']],
    ['level=gold', ['/text body']],
    ['NONE left', ['/answer']],
    ['say "hi"', ['/large', '/small']],
    ['select BASKET', ['/spans']],
    ["x' OR 1=1 --", []],
    ['tot.*>1', []],
  ])('finds the requests with %s', async (value, paths) => {
    const written = value.includes('.*') || value.includes(' OR ') ? `"${value}"` : value;
    expect(await find(written)).toEqual(paths);
  });

  test('can be combined with other filters, in the filter language', async () => {
    expect(
      (await list({ q: 'value:totalCents>50000 step:charge' })).traces
        .map(({ request }) => request.path)
        .sort(),
    ).toEqual(['/large', '/other member', '/referred']);
    expect(await find('totalCents>50000', { search: 'other', method: 'POST' })).toEqual([
      '/other function',
      '/other member',
    ]);
  });

  test('leaves out the requests with an excluded value, and can be combined with a searched value', async () => {
    const paths = async (q: string) =>
      (await list({ q, limit: 100 })).traces.map(({ request }) => request.path).sort();
    const all = await paths('');
    expect(await paths('-value:order.totalCents>50000')).toEqual(
      all.filter((path) => !['/large', '/referred', '/other function'].includes(path)),
    );
    expect(await paths('value:totalCents>50000 -value:cart.totalCents>0 -service:none')).toEqual([
      '/large',
      '/other function',
      '/referred',
    ]);
    const query = { projectId: scene.project.id, q: '-value:order.totalCents>50000' };
    const facets = await scene.person.client.call(routes.traces.facets, { query });
    expect(facets.total).toBe(all.length - 3);
    expect(await refusal(list({ q: '-value:a=1 -value:b=2' }))).toMatchObject({
      status: 400,
      message: 'q: Characters 12 to 21: Exclude at most one captured value. Remove one of them.',
    });
  });

  test('does not count requests that arrived after the search for the excluded value', async () => {
    const { person, project } = await newcomer(scene.server);
    const send = (path: string) =>
      sendTraces(scene.server, project.apiKey, [
        aRequest(path, [step('1', 'charge', { inputs: { order } })], {
          timing: { startTime: new Date().toISOString(), duration: 1 },
        }),
      ]);
    const query = { projectId: project.id, q: '-value:order.id=17' };
    const { client } = person;
    await send('/before');
    expect((await client.call(routes.traces.list, { query })).total).toBe(0);
    await send('/after');
    const facets = await client.call(routes.traces.facets, { query });
    const { figures } = await client.call(routes.traces.figures, { query });
    const groups = await client.call(routes.traces.groups, { query: { ...query, groupBy: 'endpoint' } });
    expect([facets.total, figures.totalTraces, groups.total]).toEqual([0, 0, 0]);
    const future = new Date(Date.now() + 3_600_000).toISOString();
    for (const start of [{ startDate: future }, { searchedSince: future }]) {
      const later = await client.call(routes.traces.figures, { query: { ...query, ...start } });
      expect(later.figures.totalTraces).toBe(0);
    }
  });

  test('counts the same requests in facets, stats, groups and differences', async () => {
    const query = { projectId: scene.project.id, value: 'charge.order.totalCents>50000' };
    const [facets, { figures, before }, groups, differences] = await Promise.all([
      scene.person.client.call(routes.traces.facets, { query }),
      scene.person.client.call(routes.traces.figures, { query }),
      scene.person.client.call(routes.traces.groups, { query: { ...query, groupBy: 'endpoint' } }),
      scene.person.client.call(routes.traces.differences, { query }),
    ]);
    expect(facets.total).toBe(2);
    expect(facets.paths.map(({ path }) => path).sort()).toEqual(['/large', '/referred']);
    expect(figures.totalTraces).toBe(2);
    expect(before).toBeNull();
    expect(groups.total).toBe(2);
    expect(differences).toMatchObject({ against: 'outcome', matching: 2, others: 15 });
  });

  test('finds only the request to which the span with the value belongs, not other requests of the same distributed trace', async () => {
    const { person, project } = await newcomer(scene.server);
    const parameters = { 'db.system.name': 'postgresql', 'db.query.parameter.sku': 'tea-19' };
    const entry = (path: string) => otlpAttributes({ 'http.request.method': 'GET', 'url.path': path });
    const sendFrom = async (service: string, ...spans: ReturnType<typeof otlpSpan>[]) =>
      sendSpans(scene.server, project.apiKey, otlpRequest(service, spans));
    // The service `shop` calls the service `stock`, which makes a database query with the value.
    await sendFrom(
      'shop',
      otlpSpan(1, undefined, { attributes: entry('/cart') }),
      otlpSpan(2, 1, { name: 'GET /stock', kind: 3 }),
    );
    await sendFrom(
      'stock',
      otlpSpan(3, 2, { kind: 2, attributes: entry('/stock') }),
      otlpSpan(4, 3, { name: 'SELECT stock', kind: 3, attributes: otlpAttributes(parameters) }),
    );
    const paths = async (value: string) =>
      (await person.client.call(routes.traces.list, { query: { projectId: project.id, value } })).traces.map(
        ({ request }) => request.path,
      );
    expect(await paths('tea-19')).toEqual(['/stock']);
    expect(await paths('sku=tea-19')).toEqual(['/stock']);
    expect(await paths('inputs.parameters.sku=tea-19')).toEqual(['/stock']);
  });

  test('finds the same requests in an export', async () => {
    const query = { projectId: scene.project.id, value: 'order.totalCents>50000' };
    const answer = await scene.person.client.open(routes.traces.export, { query });
    const lines = await answer.text();
    expect(lines.trim().split('\n')).toHaveLength(3);
  });

  test('rejects a search that cannot be understood, with an explanation and the name of the parameter', async () => {
    const refused = await refusal(list({ value: 'total>many' }));
    expect(refused).toMatchObject({ status: 400, details: { fields: [{ path: 'value' }] } });
    expect(refused.message).toMatch(/“many” is not a number/);
  });

  test('does not find requests of other accounts', async () => {
    const { person, project } = await newcomer(scene.server);
    await sendTraces(scene.server, project.apiKey, [
      aRequest('/theirs', [step('1', 'charge', { inputs: { order } })]),
    ]);
    const found = await person.client.call(routes.traces.list, { query: { value: 'order.totalCents>1' } });
    expect(found.traces.map(({ request }) => request.path)).toEqual(['/theirs']);
    expect(await find('order.id=17')).toEqual(['/large', '/small']);
  });

  test('also finds requests that arrive after the first search', async () => {
    const { person, project } = await newcomer(scene.server);
    const call = () =>
      person.client.call(routes.traces.list, { query: { projectId: project.id, value: 'kind=new' } });
    expect((await call()).total).toBe(0);
    await sendTraces(scene.server, project.apiKey, [
      aRequest('/new', [step('1', 'x', { inputs: { kind: 'new' } })]),
    ]);
    expect((await call()).total).toBe(1);
  });

  test('hides requests with an excluded value from the live feed', async () => {
    const { person, project } = await newcomer(scene.server);
    const feed = await watch(person, { projectId: project.id, q: '-value:order.id=17' });
    await sendTraces(scene.server, project.apiKey, [
      aRequest('/excluded', [step('1', 'charge', { inputs: { order } })]),
    ]);
    await sendTraces(scene.server, project.apiKey, [aRequest('/other', [])]);
    expect((await feed.next())?.request.path).toBe('/other');
    feed.stop();
  });

  test('filters the live feed', async () => {
    const { person, project } = await newcomer(scene.server);
    const feed = await watch(person, { projectId: project.id, value: 'charge.order.totalCents>50000' });
    await sendTraces(scene.server, project.apiKey, [
      aRequest('/cheap', [step('1', 'charge', { inputs: { order: { totalCents: 1 } } })]),
    ]);
    await sendTraces(scene.server, project.apiKey, [
      aRequest('/dear', [step('1', 'charge', { inputs: { order } })]),
    ]);
    expect((await feed.next())?.request.path).toBe('/dear');
    feed.stop();
  });
});
