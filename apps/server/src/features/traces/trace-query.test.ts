import { createHash } from 'node:crypto';
import { routes, type TraceListQuery } from '@throughline/contract';
import { aTrace, type Person, refusal, sendTraces } from '@throughline/testkit';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { pickRows } from '@throughline/testkit/thorough';
import { beforeAll, describe, expect, test } from 'vitest';
import { watch } from './live/fixtures/watch.ts';

const scene = sceneOfFile();

const request = (method: string, path: string, more: Parameters<typeof aTrace>[0] = {}) =>
  aTrace({ request: { method, path, route: path }, ...more });

const charge = {
  ...{ stepId: '1', stepName: 'charge', startTime: new Date().toISOString(), duration: 1 },
  metadata: { 'db.system': 'mysql' },
};

const SHOP = { name: 'shop', instance: 'w1' };
const BILLING = { name: 'billing', instance: 'w3', environment: 'staging', release: '1.4.2' };

beforeAll(async () => {
  const { server, project } = scene;
  await sendTraces(
    server,
    project.apiKey,
    [
      request('GET', '/one', { user: { id: '19' }, sessionId: 's17' }),
      request('PUT', '/three', { response: { statusCode: 404 }, user: { id: "o'neil" } }),
    ],
    SHOP,
  );
  const errorMessage = "Cannot read properties of undefined (reading 'rate')";
  await sendTraces(
    server,
    project.apiKey,
    [
      request('POST', '/two', {
        response: { statusCode: 503 },
        error: { hasError: true, errorMessage },
        attributes: { plan: 'gold' },
        flow: [charge],
      }),
    ],
    BILLING,
  );
});

/** Id of the error `HTTP 404` of the service `shop`. */
const NOT_FOUND_ID = createHash('md5').update('shop\nHTTP 404').digest('hex');

const list = (person: Person, query: Partial<TraceListQuery>) =>
  person.client.call(routes.traces.list, { query: { projectId: scene.project.id, ...query } as never });

describe('a list with a query in the filter language', () => {
  test.each(
    pickRows(
      [
        ['', ['/one', '/three', '/two']],
        ['status:5xx', ['/two']],
        ['status:503 release:1.4.2', ['/two']],
        [`error:"READING 'rate'"`, ['/two']],
        ['-status:5xx', ['/one', '/three']],
        ['-status:error', ['/one']],
        ['-status:503 -status:404', ['/one']],
        ['-status:other', ['/one', '/three']],
        ['-method:post', ['/one', '/three']],
        ['-route:/one -route:/two', ['/three']],
        ['-service:billing', ['/one', '/three']],
        ['-environment:staging', ['/one', '/three']],
        ['-release:1.4.2', ['/one', '/three']],
        ['-instance:w3', ['/one', '/three']],
        ['-user:19', ['/three', '/two']],
        [`-user:o'neil`, ['/one', '/two']],
        ['-country:GB', ['/one', '/three', '/two']],
        ['-country:ZZ', []],
        ['-session:s17', ['/three', '/two']],
        ['-endpoint:/one -endpoint:/two', ['/three']],
        ['-feature:three', ['/one', '/two']],
        [`-error:"READING 'rate'"`, ['/one', '/three']],
        ['-errorGroup:"HTTP 404"', ['/one', '/two']],
        [`-errorId:${'0'.repeat(32)}`, ['/one', '/three', '/two']],
        [`-errorId:${NOT_FOUND_ID},${'0'.repeat(32)}`, ['/one', '/two']],
        ['-has:user', ['/two']],
        ['-step:charge', ['/one', '/three']],
        ['-step:refund -step:none', ['/one', '/three', '/two']],
        ['-step:charge step:charge', []],
        ['-step:{stepName:String} -step:"GET api/:id"', ['/one', '/three', '/two']],
        ['-attribute:plan:gold', ['/one', '/three']],
        ['-attribute:plan:silver', ['/one', '/three', '/two']],
        ['-attribute:plan -user:19', ['/three']],
        ['-attribute:db.system attribute:service.name', ['/one', '/three']],
        ['-attribute:http.route:/one -attribute:http.route:/two', ['/three']],
        ['thr', ['/three']],
        [`-user:"') OR 1=1 --"`, ['/one', '/three', '/two']],
        ['-service:{excluded1:String} -user:19', ['/three', '/two']],
      ],
      { usually: 6 },
    ),
  )('contains the traces that match the query %j', async (q, paths) => {
    const { traces, total } = await list(scene.person, { q });
    expect(traces.map(({ request: { path } }) => path).sort()).toEqual(paths);
    const query = { projectId: scene.project.id, q } as never;
    expect(total).toBe(paths.length);
    expect((await scene.person.client.call(routes.traces.facets, { query })).total).toBe(paths.length);
  });

  test('can also be filtered by single parameters, but not by the same filter twice', async () => {
    const both = await list(scene.person, { q: '-status:404', status: 'error' });
    expect(both.traces.map(({ request: { path } }) => path)).toEqual(['/two']);
    const refused = await refusal(list(scene.person, { q: 'status:success', status: 'error' }));
    expect(refused).toMatchObject({
      status: 400,
      details: { fields: [{ path: 'q', message: expect.stringContaining('the parameter status sets too') }] },
    });
  });

  test('is rejected with the position of the error and the fix', async () => {
    const refused = await refusal(list(scene.person, { q: 'user:19 stauts:500' }));
    expect(refused).toMatchObject({
      status: 400,
      details: {
        fields: [
          { path: 'q', message: 'q: Characters 9 to 14: Unknown field “stauts”. Did you mean “status”?' },
        ],
      },
    });
  });

  test('can be watched live, and the live feed leaves out the excluded values', async () => {
    const { person, project } = await newcomer(scene.server);
    const leftOut = request('POST', '/left-out', {
      attributes: { plan: 'gold' },
      flow: [charge],
    });
    for (const q of [
      '-method:POST',
      '-instance:w3',
      '-endpoint:/left-out',
      '-step:charge',
      '-attribute:plan',
    ]) {
      const feed = await watch(person, { projectId: project.id, q });
      await sendTraces(scene.server, project.apiKey, [leftOut], BILLING);
      await sendTraces(scene.server, project.apiKey, [request('GET', '/shown')], SHOP);
      expect((await feed.next())?.request.path).toBe('/shown');
      feed.stop();
    }
  });
});
