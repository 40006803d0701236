import { gzipSync } from 'node:zlib';
import { routes, type TraceListQuery, type TraceSort } from '@throughline/contract';
import { aTrace, type Person, postBody, refusal, sendTraces } from '@throughline/testkit';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough, pickRows, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildRowFilter } from './list/conditions.ts';
import { buildFlow, RANKS } from './list/orders.fixture.ts';

const scene = sceneOfEachTest();

const HOUR_MS = 3_600_000;
/** All traces of this file start within the last half hour, in whole seconds. */
const BASE_MS = Math.floor((Date.now() - HOUR_MS / 2) / 1000) * 1000;
const at = (second: number) => new Date(BASE_MS + second * 1000).toISOString();

const list = (person: Person, query: Partial<Record<keyof TraceListQuery, string | number>>) =>
  person.client.call(routes.traces.list, { query: query as never });

describe('filters', () => {
  const METHODS = ['GET', 'POST', 'PATCH'];
  const PATHS = ['/users/1', '/users/22', '/Orders', '/a%b_c', "/it's", '/emoji/😀', '/back\\slash'];
  const row = fc.record({
    method: fc.constantFrom(...METHODS),
    path: fc.constantFrom(...PATHS),
    route: fc.constantFrom(null, '/users/:id', '/orders'),
    statusCode: fc.constantFrom(null, 200, 302, 399, 400, 404, 500),
    hasError: fc.boolean(),
    second: fc.integer({ min: 0, max: 600 }),
    duration: fc.constantFrom(0, 0.5, 1, 12.345, 500, 1000, 1000.001),
    steps: fc.integer({ min: 0, max: 3 }),
    release: fc.constantFrom('', 'r1'),
    userId: fc.constantFrom(null, 'ada', 'Ünal 1'),
    sessionId: fc.constantFrom(null, 's 1', 's 2'),
    country: fc.constantFrom(null, 'FR', 'DE'),
    traceId: fc
      .constantFrom('ab', 'cd')
      .chain((start) =>
        fc.integer({ min: 0, max: 0xffff }).map((rest) => start + rest.toString(16).padStart(30, '0')),
      ),
  });
  type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;
  const allFilters = fc.record({
    status: fc.constantFrom('success', 'error'),
    method: fc.constantFrom('GET', 'post', 'PUT'),
    search: fc.constantFrom('users', 'ORDERS', '%', '_', "'", '\\', '😀', 'ab', 'cd00', 'AB', 'nothing'),
    route: fc.constantFrom('/users/:id', '/nowhere'),
    minDuration: fc.constantFrom(0, 1, 12.345, 1000),
    maxDuration: fc.constantFrom(0, 0.5, 500, 1000),
    statusCode: fc.constantFrom(200, 404, 999),
    release: fc.constantFrom('r1', 'r2'),
    users: fc.constantFrom('known', 'unknown'),
    user: fc.constantFrom('ada', 'Ada', 'Ünal 1'),
    session: fc.constantFrom('s 1', 's 3'),
    country: fc.constantFrom('FR', 'de', 'ZZ'),
    startDate: fc.integer({ min: 0, max: 600 }).map(at),
    endDate: fc.integer({ min: 300, max: 900 }).map(at),
    sort: fc.constantFrom('time', 'duration', 'steps'),
    limit: fc.constantFrom(1, 3, 7, 500),
  });
  type Filters = typeof allFilters extends fc.Arbitrary<infer T> ? T : never;
  // Uses only a few filters at a time, because hardly any row would match many filters.
  const query: fc.Arbitrary<Partial<Filters>> = fc
    .tuple(allFilters, fc.uniqueArray(fc.nat(), { maxLength: 3 }))
    .map(([filters, chosen]) => {
      const names = Object.keys(filters);
      const kept = new Set(chosen.map((index) => names[index % names.length]));
      return Object.fromEntries(Object.entries(filters).filter(([name]) => kept.has(name)));
    });
  type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;
  const EXPECTED_RANKS: Readonly<Record<TraceSort, (one: Row) => string | number>> = {
    time: ({ second }) => at(second).replace('Z', '000Z'),
    duration: ({ duration }) => duration,
    steps: ({ steps }) => steps,
  };

  /** Computes the expected result of a query on an array. */
  function naive(rows: readonly Row[], asked: Query): Row[] {
    const {
      status,
      method,
      search,
      route,
      minDuration,
      maxDuration,
      statusCode,
      release,
      users,
      user,
      session,
      country,
      startDate,
      endDate,
    } = asked;
    return rows.filter(
      (one) =>
        (status === undefined ||
          (one.statusCode === null || one.statusCode >= 400 || one.hasError) === (status === 'error')) &&
        (method === undefined || one.method === method.toUpperCase()) &&
        (search === undefined ||
          one.path.toLowerCase().includes(search.toLowerCase()) ||
          one.traceId.startsWith(search.toLowerCase())) &&
        (route === undefined || one.route === route) &&
        (minDuration === undefined || one.duration >= minDuration) &&
        (maxDuration === undefined || one.duration <= maxDuration) &&
        (statusCode === undefined || one.statusCode === statusCode) &&
        (release === undefined || one.release === release) &&
        (users === undefined || (one.userId === null) === (users === 'unknown')) &&
        (user === undefined || one.userId === user) &&
        (session === undefined || one.sessionId === session) &&
        (country === undefined || (one.country ?? 'ZZ') === country.toUpperCase()) &&
        (startDate === undefined || at(one.second) >= startDate) &&
        (endDate === undefined || at(one.second) <= endDate),
    );
  }

  test('return the same as filtering an array of all traces, page by page and in order', async () => {
    const rows = fc.sample(row, 150);
    const { person, project } = scene;
    for (const release of ['', 'r1']) {
      const own = rows.filter((one) => one.release === release);
      const answer = await fetch(`${scene.server.url}/api/ingest/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': project.apiKey },
        body: JSON.stringify({
          service: { name: 'shop', release },
          traces: own.map((one) => ({
            traceId: one.traceId,
            request: {
              method: one.method,
              path: one.path,
              route: one.route,
              headers: one.country === null ? {} : { 'cf-ipcountry': one.country },
            },
            user: { id: one.userId },
            sessionId: one.sessionId,
            response: { statusCode: one.statusCode },
            error: { hasError: one.hasError },
            timing: { startTime: at(one.second), duration: one.duration },
            flow: buildFlow(one.steps, at(one.second)),
          })),
        }),
      });
      expect(await answer.json()).toEqual({ accepted: own.length, rejected: [] });
    }
    const all = (await list(person, { limit: 500 })).traces;
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        fc.pre(
          asked.startDate === undefined || asked.endDate === undefined || asked.startDate <= asked.endDate,
        );
        const expected = naive(rows, asked);
        const { startDate, endDate, sort: _sort, limit: _limit, ...filters } = asked;
        // The live feed's row test must match the same traces as the list.
        if (startDate === undefined && endDate === undefined) {
          const { attribute: _none, ...parsed } = routes.traces.stream.query?.parse(filters) ?? {};
          expect(all.filter(buildRowFilter(parsed))).toHaveLength(expected.length);
        }
        const found = [];
        let cursor: string | null = null;
        do {
          const page = await list(person, {
            projectId: project.id,
            ...asked,
            ...(cursor === null ? {} : { cursor }),
          });
          expect(page.total).toBe(expected.length);
          expect(page.traces.length).toBeLessThanOrEqual(asked.limit ?? 50);
          found.push(...page.traces);
          cursor = page.nextCursor;
        } while (cursor !== null && found.length < 60);
        const whole = cursor === null;
        const shown = found.map(
          ({ timing, request, ...one }) =>
            `${timing.startTime.slice(0, 19)} ${timing.duration} ${request.path} ${one.userId} ${one.sessionId} ${one.country}`,
        );
        const wanted = expected.map(
          (one) =>
            `${at(one.second).slice(0, 19)} ${one.duration} ${one.path} ${one.userId} ${one.sessionId} ${one.country}`,
        );
        if (whole) expect(shown.toSorted()).toEqual(wanted.toSorted());
        else expect(wanted).toEqual(expect.arrayContaining(shown));
        expect(new Set(found.map(({ _id }) => _id)).size).toBe(found.length);
        // The order of rows with equal ranks is not defined, so only the ranks are compared.
        expect(found.map(RANKS[asked.sort ?? 'time'])).toEqual(
          expected
            .map(EXPECTED_RANKS[asked.sort ?? 'time'])
            .toSorted((one, other) => (one > other ? -1 : Number(one < other)))
            .slice(0, found.length),
        );
      }),
      { numRuns: repetitions({ usually: 8, thoroughly: 300 }) },
    );
  }, 180_000);

  test.each(
    pickRows(
      [
        [{ limit: 0 }, 'limit'],
        [{ limit: 501 }, 'limit'],
        [{ status: 'broken' }, 'status'],
        [{ cursor: 'abc' }, 'cursor'],
        [{ startDate: 'yesterday' }, 'startDate'],
        [{ startDate: '2026-02-30' }, 'startDate'],
        [{ startDate: '2026-02-02', endDate: '2026-02-01' }, 'endDate'],
        [{ startDate: '2026-02-02', timeZone: 'Mars/Olympus' }, 'timeZone'],
        [{ minDuration: 'x' }, 'minDuration'],
        [{ sort: 'path' }, 'sort'],
      ],
      { usually: 2 },
    ),
  )('that are invalid are rejected with the name of the field: %o', async (query, field) => {
    const { person } = scene;
    const refused = await refusal(list(person, query));
    expect(refused.status).toBe(400);
    expect(refused.details?.fields?.map(({ path }) => path)).toContain(field);
  });

  test("interpret a day in the viewer's time zone and include the end day", async () => {
    const { person, project } = scene;
    const startTime = new Date().toISOString();
    await sendTraces(scene.server, project.apiKey, [aTrace({ timing: { startTime, duration: 1 } })]);
    const day = (timeZone: string) =>
      new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(startTime));
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati']) {
      const today = day(timeZone);
      expect((await list(person, { startDate: today, endDate: today, timeZone })).total).toBe(1);
      const next = new Date(Date.parse(today) + 24 * HOUR_MS).toISOString().slice(0, 10);
      expect((await list(person, { startDate: next, timeZone })).total).toBe(0);
    }
  });
});

describe('another tenant', () => {
  test('cannot see the project, a trace or a step, even if both tenants have traces and steps with the same ids', async () => {
    const { person: ada, project: shop } = scene;
    const { person: eve, project: own } = await newcomer(scene.server);
    const _id = '01973000-0000-7000-8000-0000000000aa';
    const flow = (name: string) => [
      { stepId: '1', stepName: name, startTime: at(0), duration: 1, inputs: { of: name } },
    ];
    const timing = { startTime: at(0), duration: 1 };
    await sendTraces(scene.server, shop.apiKey, [
      aTrace({ _id, timing, flow: flow('ada'), request: { method: 'GET', path: '/ada' } }),
    ]);
    const hidden = [
      () => list(eve, { projectId: shop.id }),
      () => list(eve, { projectId: 'nonsense' }),
      () => eve.client.open(routes.traces.stream, { query: { projectId: shop.id } }),
      () => eve.client.call(routes.traces.read, { params: { id: _id } }),
      () => eve.client.call(routes.traces.step, { params: { id: _id, stepId: '1' } }),
    ];
    for (const call of hidden) expect((await refusal(call())).status).toBe(404);
    expect((await list(eve, {})).total).toBe(0);

    await sendTraces(scene.server, own.apiKey, [
      aTrace({ _id, timing, flow: flow('eve'), request: { method: 'GET', path: '/eve' } }),
    ]);
    const { trace } = await eve.client.call(routes.traces.read, { params: { id: _id } });
    expect(trace.flow.map(({ stepName }) => stepName)).toEqual(['eve']);
    const { step } = await ada.client.call(routes.traces.step, { params: { id: _id, stepId: '1' } });
    expect(step.inputs).toEqual({ of: 'ada' });
    expect((await list(ada, {})).traces.map(({ request }) => request.path)).toEqual(['/ada']);
  });
});

describe('one trace', () => {
  test.runIf(isThorough())(
    'can be read without its values, and a single step can be read separately',
    async () => {
      const { person, project } = scene;
      const step = {
        stepId: 'a b/c',
        stepName: 'pay',
        startTime: at(0),
        duration: 1.5,
        inputs: { a: 1 },
        metadata: { repeat: 3 },
      };
      const body = { total: 17.5 };
      await sendTraces(scene.server, project.apiKey, [
        aTrace({
          request: { method: 'POST', path: '/', body },
          timing: { startTime: at(0), duration: 2 },
          flow: [step],
        }),
      ]);
      const id = (await list(person, {})).traces[0]?._id ?? '';
      const bare = (
        await person.client.call(routes.traces.read, { params: { id }, query: { values: 'false' } })
      ).trace;
      expect(bare.request.body).toEqual(body);
      expect(bare.flow[0]).toMatchObject({ stepName: 'pay', metadata: { repeat: 3 } });
      expect(bare.flow[0]).not.toHaveProperty('inputs');
      const whole = (await person.client.call(routes.traces.read, { params: { id } })).trace;
      expect(whole.request.body).toEqual(body);
      expect(whole.flow[0]?.inputs).toEqual({ a: 1 });
      const one = await person.client.call(routes.traces.step, { params: { id, stepId: 'a b/c' } });
      expect(one.step).toEqual(whole.flow[0]);
      expect(
        (await refusal(person.client.call(routes.traces.step, { params: { id, stepId: 'b' } }))).status,
      ).toBe(404);
      expect(
        (await refusal(person.client.call(routes.traces.read, { params: { id: 'nonsense' } }))).status,
      ).toBe(404);
    },
  );

  test.runIf(isThorough())(
    'can have a hundred thousand steps',
    async () => {
      const { person, project } = scene;
      const flow = Array.from({ length: 100_000 }, (_step, index) => ({
        stepId: String(index),
        stepName: 'loop',
        startTime: at(0),
        duration: 0,
      }));
      const packed = new Uint8Array(gzipSync(JSON.stringify({ traces: [aTrace({ flow })] })));
      const reply = await postBody(scene.server, project.apiKey, packed, { 'content-encoding': 'gzip' });
      expect(reply.body).toEqual({ accepted: 1, rejected: [] });
      const [row] = (await list(person, {})).traces;
      expect(row?.stepCount).toBe(100_000);
      const { trace } = await person.client.call(routes.traces.read, { params: { id: row?._id ?? '' } });
      expect(trace.flow.length).toBe(100_000);
      expect(trace.flow.every(({ stepId }, index) => stepId === String(index))).toBe(true);
    },
    60_000,
  );

  test('is returned with times from 1900 to 2261 in microsecond precision', async () => {
    const { person, project } = scene;
    const instants = [
      '1900-01-01T00:00:00.000001Z',
      '1969-12-31T23:59:59.500000Z',
      '2261-12-31T00:00:00.123456Z',
    ];
    const flow = instants.map((startTime, index) => ({
      stepId: String(index),
      stepName: 'a',
      startTime,
      endTime: startTime,
      duration: 0,
    }));
    await sendTraces(scene.server, project.apiKey, [aTrace({ flow })]);
    const id = (await list(person, {})).traces[0]?._id ?? '';
    const { trace } = await person.client.call(routes.traces.read, { params: { id } });
    expect(trace.flow.map(({ startTime }) => startTime)).toEqual(instants);
    expect(trace.flow.map(({ endTime }) => endTime)).toEqual(instants);
  });
});

test('totals and stats count the visible traces, and the traces of a deleted project are not found', async () => {
  const { person, project } = scene;
  await sendTraces(scene.server, project.apiKey, [
    aTrace({ timing: { startTime: at(0), duration: 10 } }),
    aTrace({ timing: { startTime: at(1), duration: 20 }, response: { statusCode: 500 } }),
    aTrace({ timing: { startTime: at(2), duration: 30 }, response: null }),
    aTrace({ timing: { startTime: at(2), duration: 40 }, error: { hasError: true } }),
  ]);
  const { stats } = await person.client.call(routes.projects.stats, { params: { id: project.id } });
  expect(stats).toEqual({ totalTraces: 4, successRate: 25, errorCount: 3, avgDuration: 25 });
  const [shown] = (await person.client.call(routes.projects.list, {})).projects;
  expect(shown?.traceCount).toBe(4);
  const id = (await list(person, {})).traces[0]?._id ?? '';
  await person.client.call(routes.projects.remove, { params: { id: project.id } });
  expect((await list(person, {})).total).toBe(0);
  expect((await refusal(person.client.call(routes.traces.read, { params: { id } }))).status).toBe(404);
});
