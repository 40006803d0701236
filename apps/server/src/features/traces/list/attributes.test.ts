import { routes } from '@throughline/contract';
import { aTrace, type Person, refusal, sendTraces } from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { beforeAll, describe, expect, test } from 'vitest';
import { openUnmigrated } from '../../../platform/trace-store/index.ts';

const scene = sceneOfFile();

const start = new Date().toISOString();
const withAttributes = (
  path: string,
  attributes: Record<string, unknown>,
  metadata?: Record<string, unknown>,
) =>
  aTrace({
    request: { method: 'GET', path },
    attributes: attributes as never,
    flow: [
      { stepId: '1', stepName: 'x', startTime: start, duration: 1 },
      {
        stepId: '2',
        stepName: 'y',
        startTime: start,
        duration: 1,
        ...(metadata && { metadata: metadata as never }),
      },
    ],
  });

const EVERY = ['/as a value', '/longer', '/nested', '/nothing', '/plain', '/spans', '/step'];

beforeAll(async () => {
  await sendTraces(scene.server, scene.project.apiKey, [
    withAttributes('/plain', { 'http.route': '/orders/:id', tenant: 't1', size: 3, ok: true, none: null }),
    withAttributes('/longer', { 'http.route': '/orders/:id/lines', tenant: 't17', size: 34, ok: 'true' }),
    withAttributes('/nested', { cart: { size: 3 }, 'a"b': 'ü\n"\\😀', 'with:colon': 'x:y' }),
    withAttributes('/step', {}, { 'db.system': 'postgresql', rows: 17, tenant: 't1' }),
    withAttributes('/nothing', {}),
    withAttributes('/as a value', { note: '"tenant":"t1"', other: 't1' }),
  ]);
  const entry = { 'http.request.method': 'GET', 'url.path': '/spans', 'messaging.system': 'none' };
  await sendSpans(
    scene.server,
    scene.project.apiKey,
    otlpRequest('shop', [
      otlpSpan(1, undefined, { attributes: otlpAttributes(entry) }),
      otlpSpan(2, 1, {
        attributes: otlpAttributes({ 'db.system': 'mysql', 'app.shard': 'eu-3', 'app.rows': 5 }),
      }),
    ]),
  );
  // Traces of another user, with the same attributes.
  const { project: theirs } = await newcomer(scene.server);
  await sendTraces(scene.server, theirs.apiKey, [
    withAttributes('/theirs', { tenant: 't1' }, { 'db.system': 'postgresql' }),
  ]);
  await sendSpans(
    scene.server,
    theirs.apiKey,
    otlpRequest('shop', [
      otlpSpan(1, undefined),
      otlpSpan(2, 1, { attributes: otlpAttributes({ 'app.shard': 'eu-3' }) }),
    ]),
  );
});

const find = async (attribute: string | string[], more: Record<string, string> = {}) => {
  const { traces, total } = await scene.person.client.call(routes.traces.list, {
    query: { projectId: scene.project.id, attribute, ...more },
  });
  expect(total).toBe(traces.length);
  return traces.map(({ request }) => request.path).sort();
};

const listPaths = async (somebody: Person, attribute: string) =>
  (await somebody.client.call(routes.traces.list, { query: { attribute } })).traces
    .map(({ request }) => request.path)
    .sort();

describe('a filter by attribute', () => {
  test.each([
    ['tenant:t1', ['/plain', '/step']],
    ['http.route:/orders/:id', ['/plain']],
    ['url.path:/spans', ['/spans']],
    ['http.response.status_code:200', ['/as a value', '/longer', '/nested', '/nothing', '/plain', '/step']],
    ['service.name:shop', EVERY],
    ['service.name', EVERY],
    ['size:3', ['/plain']],
    ['ok:true', ['/longer', '/plain']],
    ['none:null', ['/plain']],
    ['tenant', ['/longer', '/plain', '/step']],
    ['cart', ['/nested']],
    ['"with:colon":x:y', ['/nested']],
    ['a"b:ü\n"\\😀', ['/nested']],
    ['db.system:postgresql', ['/step']],
    ['rows:17', ['/step']],
    ['rows:1', []],
    ['app.shard:eu-3', ['/spans']],
    ['app.rows:5', ['/spans']],
    ['messaging.system:none', ['/spans']],
    ['tenant:', []],
    ["tenant:t1' OR 1=1 --", []],
    ['{a0_name:String}:x', []],
  ])('finds the requests with the attribute %s', async (attribute, paths) => {
    expect(await find(attribute)).toEqual(paths);
  });

  test('finds traces that have all of several attributes and match the other filters', async () => {
    expect(await find(['tenant:t1', 'size:3'])).toEqual(['/plain']);
    expect(await find(['tenant:t1', 'db.system:postgresql'])).toEqual(['/step']);
    expect(await find(['tenant:t1', 'tenant:t17'])).toEqual([]);
    expect(await find('tenant:t1', { search: 'step' })).toEqual(['/step']);
    expect(await find('tenant:t1', { endDate: '2020-01-01' })).toEqual([]);
    expect(await find('')).toEqual(EVERY);
  });

  test.each([[':x'], ['""'], ['"a'], ['"\\q":x']])(
    "is rejected with the field's name: %s",
    async (attribute) => {
      const refused = await refusal(find(attribute));
      expect(refused).toMatchObject({
        status: 400,
        code: 'validation_failed',
        details: { fields: [{ path: 'attribute', message: expect.stringContaining('name:value') }] },
      });
    },
  );

  test('can be set ten times and have a thousand characters', async () => {
    expect(await find(Array.from({ length: 10 }, () => 'tenant:t17'))).toEqual(['/longer']);
    for (const wrong of [Array.from({ length: 11 }, () => 'a:b'), 'x'.repeat(1001)]) {
      expect(await refusal(find(wrong))).toMatchObject({ status: 400, code: 'validation_failed' });
    }
  });

  test('finds traces with more attributes than their rows can list', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`many.${index}`, `v${index}`]),
    );
    const { person: ada, project: own } = await newcomer(scene.server);
    await sendTraces(scene.server, own.apiKey, [
      withAttributes('/many', many, { 'last.step': 'yes' }),
      withAttributes('/few', { 'many.1400': 'v1400' }),
    ]);
    expect(await listPaths(ada, 'many.3:v3')).toEqual(['/many']);
    expect(await listPaths(ada, 'many.1400:v1400')).toEqual(['/few', '/many']);
    expect(await listPaths(ada, 'many.1400')).toEqual(['/few', '/many']);
    expect(await listPaths(ada, 'last.step:yes')).toEqual(['/many']);
    expect(await listPaths(ada, 'many.1400:v1')).toEqual([]);
  });

  test.runIf(isThorough())('finds traces that were stored before rows listed attributes', async () => {
    const { person: ada, project: own } = await newcomer(scene.server);
    await sendTraces(scene.server, own.apiKey, [
      withAttributes('/before', { tenant: 't1' }, { 'db.system': 'postgresql' }),
      withAttributes('/before too', { tenant: 't2' }),
    ]);
    const store = await openUnmigrated(scene.server.config);
    await store.command(
      `UPDATE traces SET attribute_pairs = [], attribute_names = [], attributes_whole = false WHERE project_id = {project:UUID}`,
      { project: own.id },
    );
    await store.close();
    await sendTraces(scene.server, own.apiKey, [withAttributes('/after', { tenant: 't1' })]);
    expect(await listPaths(ada, 'tenant:t1')).toEqual(['/after', '/before']);
    expect(await listPaths(ada, 'db.system:postgresql')).toEqual(['/before']);
    expect(await listPaths(ada, 'tenant')).toEqual(['/after', '/before', '/before too']);
    expect(await listPaths(ada, 'tenant:t3')).toEqual([]);
  });

  test.runIf(isThorough())(
    'finds the request to which a span belongs, whether the span arrived before, with or after the request',
    async () => {
      const { person: ada, project: own } = await newcomer(scene.server);
      const send = (...spans: Parameters<typeof otlpRequest>[1]) =>
        sendSpans(scene.server, own.apiKey, otlpRequest('shop', spans));
      const entry = (id: number, parent: number | undefined, path: string) =>
        otlpSpan(id, parent, {
          kind: 2,
          attributes: otlpAttributes({ 'url.path': path, 'http.request.method': 'GET' }),
        });
      const step = (id: number, parent: number, when: string) =>
        otlpSpan(id, parent, { attributes: otlpAttributes({ 'app.when': when, 'app.rows': id }) });
      await send(step(2, 1, 'before'));
      await send(entry(1, undefined, '/front'), step(3, 1, 'with'));
      expect(await listPaths(ada, 'app.when:before')).toEqual(['/front']);
      await send(entry(4, 3, '/back'), step(5, 4, 'with the other'));
      await send(step(6, 5, 'later'));
      await expect.poll(() => listPaths(ada, 'app.when:later'), { timeout: 10_000 }).toEqual(['/back']);
      const store = await openUnmigrated(scene.server.config);
      const whole = () =>
        store.lines(
          'SELECT toString(countIf(attributes_whole)) FROM traces WHERE project_id = {project:UUID}',
          {
            project: own.id,
          },
        );
      await expect.poll(whole, { timeout: 10_000 }).toEqual(['2']);
      await store.close();
      const found = await Promise.all(
        ['before', 'with', 'with the other', 'later'].map((when) => listPaths(ada, `app.when:${when}`)),
      );
      expect(found).toEqual([['/front'], ['/front'], ['/back'], ['/back']]);
      expect(await listPaths(ada, 'app.rows:2')).toEqual(['/front']);
      expect(await listPaths(ada, 'app.when')).toEqual(['/back', '/front']);
      // More attributes than a row can list.
      const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`many.${index}`, 'x']));
      await send(otlpSpan(7, 4, { attributes: otlpAttributes(many) }));
      await expect.poll(() => listPaths(ada, 'many.1400:x'), { timeout: 10_000 }).toEqual(['/back']);
    },
  );
});
