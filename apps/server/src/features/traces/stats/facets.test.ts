import { routes, type TraceFacets } from '@throughline/contract';
import {
  aTrace,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  signUp,
} from '@throughline/testkit';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createId, type ProjectId } from '../../../platform/ids.ts';
import { openUnmigrated } from '../../../platform/trace-store/index.ts';
import { readListQuery } from '../list/list-query.ts';
import { DURATION_BOUNDS, findFacets } from './facets.ts';

const scene = sceneOfEachTest();

const BASE_MS = Math.floor(Date.now() / 1000) * 1000 - 1_800_000;
const at = (second: number) => new Date(BASE_MS + second * 1000).toISOString();
const micros = (instant: string) => {
  const [, fraction = '0'] = /\.(\d+)Z$/.exec(instant) ?? [];
  return Math.floor(Date.parse(instant) / 1000) * 1_000_000 + Number(fraction.padEnd(6, '0'));
};

const facets = (person: Person, query: Record<string, string | number | string[]>) =>
  person.client.call(routes.traces.facets, { query: query as never });

const row = fc.record({
  method: fc.constantFrom('GET', 'post', 'PATCH'),
  path: fc.constantFrom('/users/1', '/users/22', '/Orders', "/it's", '/emoji/😀'),
  route: fc.constantFrom(null, '/users/:id', '/orders'),
  statusCode: fc.constantFrom(null, 200, 302, 404, 500),
  hasError: fc.boolean(),
  second: fc.integer({ min: 0, max: 600 }),
  duration: fc.oneof(
    fc.constantFrom(0, 0.009, 0.01, 0.012, 0.013, 1, 1000, 999.999, 1e9, 3e10),
    fc.double({ min: 0, max: 5000, noNaN: true }).map((ms) => Math.round(ms * 1000) / 1000),
  ),
  tenant: fc.constantFrom('t1', 't2'),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

function stored(rows: readonly Row[]) {
  return rows.map((one) =>
    aTrace({
      request: { method: one.method, path: one.path, route: one.route },
      response: { statusCode: one.statusCode },
      error: { hasError: one.hasError },
      timing: { startTime: at(one.second), duration: one.duration },
      attributes: { tenant: one.tenant } as never,
    }),
  );
}

interface Counts {
  readonly count: number;
  readonly errors: number;
}
const isError = (one: Row) => one.hasError || one.statusCode === null || one.statusCode >= 400;
const countRows = (rows: readonly Row[]): Counts => ({
  count: rows.length,
  errors: rows.filter(isError).length,
});
/** Counts the rows per value. The counts are compared in a fixed order, because the order of equally frequent values is not defined. */
const counted = <Key>(rows: readonly Row[], key: (one: Row) => Key) =>
  [...Map.groupBy(rows, (one) => JSON.stringify(key(one)))].map(([value, some]) => ({
    ...JSON.parse(value),
    ...countRows(some),
  }));
const inOrder = (values: readonly object[]) => values.map((value) => JSON.stringify(sorted(value))).sort();
const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
const fromMostFrequent = (values: readonly Counts[]) =>
  expect(values.map(({ count }) => count)).toEqual(
    values.map(({ count }) => count).toSorted((one, other) => other - one),
  );

describe('facets', () => {
  const query = fc.record(
    {
      status: fc.constantFrom('success', 'error'),
      method: fc.constantFrom('GET', 'POST'),
      search: fc.constantFrom('users', 'nowhere at all'),
      minDuration: fc.constantFrom(1, 0.012),
      attribute: fc.constantFrom('tenant:t1', 'tenant:none'),
      startDate: fc.integer({ min: 0, max: 300 }).map(at),
      endDate: fc.integer({ min: 300, max: 900 }).map(at),
      bars: fc.constantFrom(1, 2, 7, 60, 500),
    },
    { requiredKeys: [] },
  );
  type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

  const naive = (rows: readonly Row[], asked: Query) =>
    rows.filter(
      (one) =>
        (asked.status === undefined || isError(one) === (asked.status === 'error')) &&
        (asked.method === undefined || one.method.toUpperCase() === asked.method) &&
        (asked.search === undefined || one.path.includes(asked.search)) &&
        (asked.minDuration === undefined || one.duration >= asked.minDuration) &&
        (asked.attribute === undefined || `tenant:${one.tenant}` === asked.attribute) &&
        (asked.startDate === undefined || at(one.second) >= asked.startDate) &&
        (asked.endDate === undefined || at(one.second) <= asked.endDate),
    );

  function expectPieces(
    pieces: readonly (Counts & { readonly from: number; readonly to: number })[],
    rows: readonly Row[],
    value: (one: Row) => number,
  ) {
    for (const [index, piece] of pieces.entries()) {
      expect(piece.to).toBeGreaterThan(piece.from);
      if (index > 0) expect(piece.from).toBe(pieces[index - 1]?.to);
      const inside = rows.filter((one) => value(one) >= piece.from && value(one) < piece.to);
      expect(piece).toMatchObject(countRows(inside));
    }
    expect(pieces.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
  }

  test('equal the counts over an array of all traces', async () => {
    const rows = fc.sample(row, 150);
    const { person, project } = scene;
    await sendTraces(scene.server, project.apiKey, stored(rows));
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const matching = naive(rows, asked);
        const found = await facets(person, { projectId: project.id, ...asked });
        expect(found).toMatchObject({
          total: matching.length,
          errors: matching.filter(isError).length,
          sampledOneIn: 1,
        });
        expect(inOrder(found.statusCodes)).toEqual(
          inOrder(counted(matching, ({ statusCode }) => ({ statusCode }))),
        );
        expect(inOrder(found.methods)).toEqual(
          inOrder(counted(matching, ({ method }) => ({ method: method.toUpperCase() }))),
        );
        expect(inOrder(found.paths)).toEqual(
          inOrder(counted(matching, ({ path, route }) => ({ path: route ?? path, route }))),
        );
        for (const values of [found.statusCodes, found.methods, found.paths]) fromMostFrequent(values);
        expectPieces(
          found.durations.map((piece) => ({ ...piece, from: inMicros(piece.from), to: inMicros(piece.to) })),
          matching,
          ({ duration }) => inMicros(duration),
        );
        expect(found.durations.at(0)?.count).not.toBe(0);
        expect(found.durations.at(-1)?.count).not.toBe(0);
        expect(found.times.length).toBeLessThanOrEqual(asked.bars ?? 60);
        expectPieces(
          found.times.map((piece) => ({ ...piece, from: micros(piece.from), to: micros(piece.to) })),
          matching,
          ({ second }) => micros(at(second)),
        );
        if (matching.length > 0) expectWhole(found, asked);
      }),
      { numRuns: repetitions({ usually: 12, thoroughly: 40 }) },
    );
  }, 180_000);

  const inMicros = (ms: number) => Math.round(ms * 1000);
  /** Checks that the time buckets cover the whole period. */
  const expectWhole = (found: TraceFacets, asked: Query) => {
    if (asked.startDate !== undefined)
      expect(micros(found.times[0]?.from ?? '')).toBe(micros(asked.startDate));
    if (asked.endDate !== undefined)
      expect(micros(found.times.at(-1)?.to ?? '')).toBe(micros(asked.endDate) + 1);
  };

  test('are empty if no trace matches', async () => {
    const { person, project } = scene;
    const nothing = {
      total: 0,
      errors: 0,
      sampledOneIn: 1,
      statusCodes: [],
      methods: [],
      paths: [],
      durations: [],
      times: [],
    };
    expect(await facets(person, { projectId: project.id })).toEqual(nothing);
    expect(await facets(await signUp(scene.server), {})).toEqual(nothing);
  });

  test("cover all projects of the caller if the query names no project, and never another user's project", async () => {
    const { owner } = await makeOrganization(scene.server);
    const [first, second] = [await makeProject(owner, 'first'), await makeProject(owner, 'second')];
    const other = await newcomer(scene.server);
    await sendTraces(scene.server, first.apiKey, [aTrace(), aTrace()]);
    await sendTraces(scene.server, second.apiKey, [aTrace()]);
    await sendTraces(scene.server, other.project.apiKey, [aTrace()]);
    expect((await facets(owner, {})).total).toBe(3);
    expect((await facets(owner, { projectId: second.id })).total).toBe(1);
    expect(await refusal(facets(owner, { projectId: other.project.id }))).toMatchObject({ status: 404 });
  });

  test('contain the twenty most frequent paths', async () => {
    const { person, project } = scene;
    const paths = Array.from({ length: 25 }, (_path, index) =>
      Array.from({ length: index < 3 ? 3 - index : 1 }, () =>
        aTrace({ request: { method: 'GET', path: `/${index}` } }),
      ),
    );
    await sendTraces(scene.server, project.apiKey, paths.flat());
    const found = await facets(person, { projectId: project.id });
    expect(found.paths).toHaveLength(20);
    expect(found.paths.slice(0, 2).map(({ path, count }) => ({ path, count }))).toEqual([
      { path: '/0', count: 3 },
      { path: '/1', count: 2 },
    ]);
  });

  test('of very many traces are counted from a sample and report the sampling ratio; the total and the counts over time stay exact', async () => {
    const store = await openUnmigrated(scene.server.config);
    const id = createId<ProjectId>();
    const traces = 2000;
    await store.command(
      `INSERT INTO traces (project_id, start_time, id, method, path, status_code, duration_micros, is_error)
       SELECT {project:UUID}, fromUnixTimestamp64Micro(toInt64(1700000000000000 + number * 1000)), generateUUIDv4(), 'GET', '/', 200,
         if(number % 2 = 0, 1000, 5000), number % 5 = 0 FROM numbers({traces:UInt32})`,
      { project: id, traces },
    );
    const everything = readListQuery({ limit: 1, sort: 'time', timeZone: 'UTC' });
    const found = await findFacets(store, [{ id, shownSince: 0n }], everything, 10, traces / 4);
    await store.close();
    expect(found).toMatchObject({ total: traces, errors: traces / 5, sampledOneIn: 4 });
    expect(found.times.map(({ count }) => count)).toEqual(Array.from({ length: 10 }, () => traces / 10));
    const sum = (values: readonly Counts[]) => values.reduce((all, { count }) => all + count, 0);
    for (const values of [found.statusCodes, found.methods, found.paths, found.durations]) {
      expect(sum(values)).toBe(sum(found.methods));
      expect(values.every(({ count, errors }) => count % 4 === 0 && errors % 4 === 0)).toBe(true);
    }
    // About a quarter of 2,000 random ids is counted; a deviation by half is extremely unlikely.
    expect(sum(found.methods)).toBeGreaterThan(traces / 1.5);
    expect(sum(found.methods)).toBeLessThan(traces * 1.5);
  });

  test.each([
    [{ bars: 0 }, 'bars'],
    [{ bars: 501 }, 'bars'],
    [{ bars: 'many' }, 'bars'],
    [{ status: 'broken' }, 'status'],
    [{ startDate: '2026-02-02', endDate: '2026-02-01' }, 'endDate'],
  ])('with an invalid query are rejected with the name of the field: %o', async (asked, field) => {
    const { person } = scene;
    const refused = await refusal(facets(person, asked as never));
    expect(refused.status).toBe(400);
    expect(refused.details?.fields?.map(({ path }) => path)).toContain(field);
  });
});

test('the bounds of duration buckets are increasing whole numbers of microseconds', () => {
  expect(DURATION_BOUNDS.slice(0, 4)).toEqual([0, 10, 13, 16]);
  expect(
    DURATION_BOUNDS.every((bound, index) => index === 0 || bound > (DURATION_BOUNDS[index - 1] ?? 0)),
  ).toBe(true);
  expect(DURATION_BOUNDS.every(Number.isSafeInteger)).toBe(true);
});
