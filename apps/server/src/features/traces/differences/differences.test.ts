import { routes, type TraceDifferences, type TraceListQuery } from '@throughline/contract';
import { aTrace, type Person, refusal, sendTraces } from '@throughline/testkit';
import { newcomer, serverOfFile } from '@throughline/testkit/scene';
import { isThorough, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const file = serverOfFile();

type Query = Partial<Omit<TraceListQuery, 'limit' | 'cursor' | 'sort'>>;
const differences = (person: Person, query: Query): Promise<TraceDifferences> =>
  person.client.call(routes.traces.differences, { query: query as never });

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Returns pseudorandom numbers from 0 to 1, the same for each seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Builds requests of a shop. Nine in ten requests of the plan `gold` fail, and one in twenty of the others. */
function buildShop(seed: number, count: number) {
  const random = createRandom(seed);
  const choose = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: count }, () => {
    const plan = choose(['free', 'free', 'free', 'silver', 'gold']);
    const failed = random() < (plan === 'gold' ? 0.9 : 0.05);
    return aTrace({
      request: {
        method: choose(['GET', 'POST']),
        path: '/orders',
        route: choose(['/orders', '/orders/:id', '/cart']),
        headers: { 'cf-ipcountry': choose(['DE', 'GB', 'US', 'FR']) },
      },
      response: { statusCode: failed ? 500 : 200 },
      user: { id: `u${Math.floor(random() * 40)}` },
      attributes: { plan, shard: Math.floor(random() * 8), cached: random() < 0.5, cart: { items: 3 } },
      timing: { startTime: minutesAgo(random() * 50), duration: 5 + random() * 20 },
    });
  });
}

describe('the differences between failed and other requests', () => {
  test('begin with the attribute on which the failures depend, before values that differ by chance', async () => {
    const seeds = repetitions({ usually: 1, thoroughly: 100 });
    const first: string[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const { person, project } = await newcomer(file.server);
      await sendTraces(file.server, project.apiKey, buildShop(seed, 400));
      const { differences: found } = await differences(person, { projectId: project.id, q: 'status:error' });
      first.push(found[0]?.value ?? 'nothing');
    }
    const named = first.filter((value) => value === 'plan:gold');
    expect(named.length / seeds).toBeGreaterThanOrEqual(0.95);
  });

  test.runIf(isThorough())(
    'are listed with the shares in both groups of requests, and with a filter term that finds the requests',
    async () => {
      const { person, project } = await newcomer(file.server);
      const send = (count: number, plan: string, statusCode: number) =>
        sendTraces(
          file.server,
          project.apiKey,
          Array.from({ length: count }, () => aTrace({ attributes: { plan }, response: { statusCode } })),
        );
      await send(30, 'gold', 500);
      await send(10, 'free', 500);
      await send(90, 'free', 200);
      await send(10, 'gold', 200);
      const answer = await differences(person, { projectId: project.id, status: 'error' });
      expect(answer).toEqual({
        against: 'outcome',
        matching: 40,
        others: 100,
        sampledOneIn: 1,
        differences: [
          {
            field: 'attribute',
            value: 'plan:gold',
            term: 'attribute:plan:gold',
            count: 30,
            inside: 0.75,
            outside: 0.1,
          },
        ],
      });
      const term = answer.differences[0]?.term ?? '';
      const listed = await person.client.call(routes.traces.list, {
        query: { projectId: project.id, q: `status:error ${term}` } as never,
      });
      expect(listed.total).toBe(30);
    },
  );

  test('are not listed if both groups of requests are alike, or if there are only three requests', async () => {
    const { person, project } = await newcomer(file.server);
    const traces = Array.from({ length: 200 }, (_, index) =>
      aTrace({
        attributes: { plan: index % 4 < 2 ? 'gold' : 'free' },
        response: { statusCode: index % 2 === 0 ? 500 : 200 },
      }),
    );
    await sendTraces(file.server, project.apiKey, traces);
    const alike = await differences(person, { projectId: project.id, status: 'error' });
    expect(alike).toMatchObject({ matching: 100, others: 100, differences: [] });
    const { person: other, project: small } = await newcomer(file.server);
    await sendTraces(file.server, small.apiKey, [
      aTrace({ attributes: { plan: 'gold' }, response: { statusCode: 500 } }),
      aTrace({ attributes: { plan: 'free' } }),
      aTrace({ attributes: { plan: 'free' } }),
    ]);
    expect(await differences(other, { projectId: small.id, status: 'error' })).toMatchObject({
      matching: 1,
      others: 2,
      differences: [],
    });
  });
});

describe('requests are compared', () => {
  test.runIf(isThorough())(
    'with the requests shortly before and after the range, if only a time range is selected',
    async () => {
      const { person, project } = await newcomer(file.server);
      const at = (minutes: number, release: string, count: number) =>
        sendTraces(
          file.server,
          project.apiKey,
          Array.from({ length: count }, (_, index) =>
            aTrace({ timing: { startTime: minutesAgo(minutes + index / 100), duration: 1 } }),
          ),
          { name: 'shop', release },
        );
      await at(20, '2.0', 50);
      await at(45, '1.9', 80);
      const answer = await differences(person, {
        projectId: project.id,
        startDate: minutesAgo(25),
        endDate: minutesAgo(15),
      });
      expect(answer).toMatchObject({
        against: 'time',
        matching: 50,
        others: 80,
        differences: [{ field: 'release', value: '2.0', term: 'release:2.0', inside: 1, outside: 0 }],
      });
    },
  );

  test.runIf(isThorough())(
    'with all requests that do not match the filter, for any filter other than a time range',
    async () => {
      const { person, project } = await newcomer(file.server);
      const send = (id: string, statusCode: number, count: number) =>
        sendTraces(
          file.server,
          project.apiKey,
          Array.from({ length: count }, () => aTrace({ user: { id }, response: { statusCode } })),
        );
      await send('19', 503, 40);
      await send('20', 200, 60);
      const answer = await differences(person, { projectId: project.id, user: '19' });
      expect(answer).toMatchObject({ against: 'rest', matching: 40, others: 60 });
      expect(answer.differences.map(({ term }) => term)).toEqual(['status:503', 'errorGroup:"HTTP 503"']);
    },
  );

  test.runIf(isThorough())(
    'with the other requests of the list if rows are selected, and with the excluded requests if a query excludes some',
    async () => {
      const { person, project } = await newcomer(file.server);
      const traces = Array.from({ length: 60 }, (_, index) =>
        aTrace({ request: { method: 'GET', path: '/x', route: index < 20 ? '/slow' : '/fast' } }),
      );
      await sendTraces(file.server, project.apiKey, traces);
      const { traces: rows } = await person.client.call(routes.traces.list, {
        query: { projectId: project.id, route: '/slow' } as never,
      });
      const requests = rows.map(({ _id }) => _id).join(',');
      for (const query of [{ requests }, { q: '-route:/fast' }]) {
        expect(await differences(person, { projectId: project.id, ...query })).toMatchObject({
          matching: 20,
          others: 40,
          differences: [{ field: 'endpoint', value: '/slow', inside: 1, outside: 0 }],
        });
      }
    },
  );

  test('with nothing if there is no filter, or if the filter matches no request', async () => {
    const { person, project } = await newcomer(file.server);
    await sendTraces(file.server, project.apiKey, [aTrace()]);
    expect(await differences(person, { projectId: project.id })).toMatchObject({
      against: null,
      differences: [],
    });
    expect(await differences(person, { projectId: project.id, status: 'error' })).toMatchObject({
      matching: 0,
      others: 1,
      differences: [],
    });
  });

  test('only within the caller’s own projects', async () => {
    const { project } = await newcomer(file.server);
    const { person: stranger } = await newcomer(file.server);
    expect(await refusal(differences(stranger, { projectId: project.id, status: 'error' }))).toMatchObject({
      status: 404,
    });
  });
});

test('a value that the filter language cannot express is not listed', async () => {
  const { person, project } = await newcomer(file.server);
  const traces = Array.from({ length: 60 }, (_, index) =>
    aTrace({
      attributes: index < 30 ? { plan: 'gold\0' } : {},
      response: { statusCode: index < 30 ? 500 : 200 },
    }),
  );
  await sendTraces(file.server, project.apiKey, traces);
  expect(await differences(person, { projectId: project.id, status: 'error' })).toMatchObject({
    matching: 30,
    differences: [],
  });
});

test('equal values of an attribute are counted together, even if one is sent as text and one as a number, or if they contain characters that JSON escapes', async () => {
  const { person, project } = await newcomer(file.server);
  const note = 'say "hi" \\ {bye}';
  const send = (count: number, statusCode: number, attributes: Record<string, unknown>) =>
    sendTraces(
      file.server,
      project.apiKey,
      Array.from({ length: count }, () => aTrace({ attributes, response: { statusCode } })),
    );
  await send(20, 500, { size: 5, note });
  await send(20, 500, { size: '5', note });
  await send(10, 200, { size: 5, note: 'none' });
  await send(10, 200, { size: '5', note });
  await send(80, 200, { size: 6, note: ['say "hi"'] });
  const { differences: found } = await differences(person, { projectId: project.id, status: 'error' });
  expect(found.map(({ value, count, inside, outside }) => [value, count, inside, outside])).toEqual([
    [`note:${note}`, 40, 1, 0.1],
    ['size:5', 40, 1, 0.2],
  ]);
});

test('any attribute is listed with the name and value that were sent, and its filter term finds its requests', async () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .map((text) => `k${text.replaceAll('\0', '')}`);
  const value = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => `v${text.replaceAll('\0', '')}`),
    fc.integer(),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(name, value, async (key, planted) => {
      const { person, project } = await newcomer(file.server);
      const traces = Array.from({ length: 60 }, (_, index) =>
        aTrace({
          attributes: index < 30 ? { [key]: planted } : {},
          response: { statusCode: index < 30 ? 500 : 200 },
        }),
      );
      await sendTraces(file.server, project.apiKey, traces);
      const { differences: found } = await differences(person, { projectId: project.id, status: 'error' });
      expect(found).toMatchObject([
        { field: 'attribute', value: `${key}:${planted}`.toWellFormed(), count: 30, inside: 1, outside: 0 },
      ]);
      const { traces: kept } = await person.client.call(routes.traces.list, {
        query: { projectId: project.id, q: found[0]?.term } as never,
      });
      expect(kept).toHaveLength(30);
    }),
    { numRuns: repetitions({ usually: 2, thoroughly: 200 }) },
  );
});
