import {
  GROUP_FIELDS,
  GROUP_SORTS,
  type GroupField,
  type GroupSort,
  parseTraceQuery,
  routes,
  type TraceGroup,
} from '@throughline/contract';
import { aTrace, type Person, refusal, sendTraces, signUp } from '@throughline/testkit';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { anyRow, at, groupNaively, hasFailed, type Row, readExact, storeRow } from './groups.fixture.ts';
import { writeGroupTerm } from './groups.ts';

const scene = sceneOfFile();
/** The first row is the oldest. */
const rows: readonly Row[] = fc
  .sample(anyRow, 300)
  .map((row, index) => (index === 0 ? { ...row, second: 0 } : row));

beforeAll(async () => {
  const senders = Map.groupBy(rows, ({ service, release, instance }) =>
    JSON.stringify({ service, release, instance }),
  );
  for (const [sender, some] of senders) {
    const { service: name, ...more } = JSON.parse(sender);
    await sendTraces(scene.server, scene.project.apiKey, some.map(storeRow), { name, ...more });
  }
});

type Query = Readonly<Record<string, string | number>>;
const group = (person: Person, query: Query) =>
  person.client.call(routes.traces.groups, { query: query as never });
const groupOwn = (query: Query) => group(scene.person, { projectId: scene.project.id, ...query });
const list = (query: Query) =>
  scene.person.client.call(routes.traces.list, {
    query: { projectId: scene.project.id, limit: 500, ...query } as never,
  });

const FIELDS = isThorough() ? GROUP_FIELDS : (['endpoint', 'user', 'instance'] as const);

describe('groups of a list', () => {
  test.each(FIELDS)(
    'by %s equal those computed from an array of the requests in the list',
    async (groupBy) => {
      const query = fc.record(
        {
          method: fc.constantFrom('GET', 'POST'),
          status: fc.constantFrom('success', 'error'),
          startDate: fc.integer({ min: 0, max: 300 }),
          endDate: fc.integer({ min: 400, max: 700 }),
          intervals: fc.constantFrom(1, 7, 24),
          sort: fc.constantFrom(...GROUP_SORTS),
        },
        { requiredKeys: ['intervals', 'sort'] },
      );
      await fc.assert(
        fc.asyncProperty(query, async ({ startDate, endDate, ...asked }) => {
          const found = await groupOwn({
            groupBy,
            ...asked,
            ...(startDate !== undefined && { startDate: at(startDate) }),
            ...(endDate !== undefined && { endDate: at(endDate) }),
          });
          const matching = rows.filter(
            (row) =>
              (asked.method === undefined || row.method === asked.method) &&
              (asked.status === undefined || hasFailed(row) === (asked.status === 'error')) &&
              (startDate === undefined || row.second >= startDate) &&
              (endDate === undefined || row.second <= endDate),
          );
          const expected = groupNaively(matching, groupBy, found.intervals);
          expect(found.more).toBe(0);
          expect(found.total).toBe(expected.reduce((sum, { count }) => sum + count, 0));
          expect(found.errors).toBe(expected.reduce((sum, { errors }) => sum + errors, 0));
          expect(sortByName(found.groups.map(readExact))).toEqual(
            sortByName(expected.map(({ p95Micros: _p95, ...exact }) => exact)),
          );
          for (const { method, value, p95Duration } of found.groups) {
            const exact =
              expected.find((one) => one.method === method && one.value === value)?.p95Micros ?? 0;
            expect(Math.abs(p95Duration * 1000 - exact)).toBeLessThanOrEqual(exact * 0.01);
          }
          const ranks = found.groups.map(RANKS[asked.sort]);
          expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
          // Every request is in an interval: without a time range in the query, the intervals reach from the first request to the last.
          const counted = found.groups.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0);
          expect(counted).toBe(found.total);
        }),
        { numRuns: 12 },
      );
    },
  );

  test.runIf(isThorough()).each(FIELDS)(
    'by %s have filter terms that find the requests of each group',
    async (groupBy) => {
      const { groups } = await groupOwn({ groupBy });
      expect(groups.length).toBeGreaterThan(1);
      for (const { term, value, count } of groups) {
        if (term === null) {
          expect([groupBy, value]).toEqual([expect.stringMatching(/^(release|instance)$/), null]);
          continue;
        }
        const [listed, grouped] = [await list({ q: term }), await groupOwn({ groupBy, q: term })];
        expect(listed.total, term).toBe(count);
        expect(grouped.groups).toMatchObject([{ value, count }]);
      }
    },
  );

  test('have a rate over the selected range; without a range, over the time from the first to the last request', async () => {
    const sum = (groups: readonly TraceGroup[]) => groups.reduce((all, { perMinute }) => all + perMinute, 0);
    const within = await groupOwn({ groupBy: 'user', startDate: at(0), endDate: at(1200) });
    expect(sum(within.groups)).toBeCloseTo(300 / 20, 3);
    const last = Math.max(...rows.map(({ second }) => second));
    expect(sum((await groupOwn({ groupBy: 'user' })).groups)).toBeCloseTo(300 / (last / 60), 3);
    const { person, project } = await newcomer(scene.server);
    await sendTraces(scene.server, project.apiKey, [aTrace()]);
    expect((await group(person, { groupBy: 'user' })).groups).toMatchObject([{ perMinute: 1, counts: [1] }]);
  });

  test('have intervals up to the time of the query if the range has no end date', async () => {
    const { person, project } = await newcomer(scene.server);
    const ahead = { startTime: new Date(Date.now() + 60_000).toISOString(), duration: 1 };
    await sendTraces(scene.server, project.apiKey, [aTrace(), aTrace({ timing: ahead })]);
    const before = Date.now();
    const found = await group(person, { groupBy: 'endpoint', startDate: at(0), intervals: 3 });
    expect(Date.parse(found.intervals.at(-1)?.to ?? '')).toBeGreaterThanOrEqual(before);
    expect(found.groups).toMatchObject([{ method: 'GET', value: '/users/:id', counts: [0, 0, 2] }]);
    const later = await group(person, { groupBy: 'endpoint', startDate: at(7200) });
    expect(later).toEqual({ total: 0, errors: 0, groups: [], more: 0, intervals: [] });
  });

  test.runIf(isThorough())(
    'are the first hundred in the requested order, and further groups are only counted',
    async () => {
      const { person, project } = await newcomer(scene.server);
      // Users 120 to 129 have the most requests, user 0 has the slowest request, and users 0 to 2 have one failed request each.
      const traces = Array.from({ length: 130 }, (_, user) =>
        Array.from({ length: 1 + Math.floor(user / 10) }, (_one, index) =>
          aTrace({
            user: { id: `u${String(user).padStart(3, '0')}` },
            response: { statusCode: user < 3 && index === 0 ? 500 : 200 },
            timing: { startTime: at(user), duration: 1000 - user },
          }),
        ),
      ).flat();
      await sendTraces(scene.server, project.apiKey, traces);
      const found = async (sort: string) => {
        const { groups, more, total } = await group(person, { groupBy: 'user', sort });
        expect([groups.length, more, total]).toEqual([100, 30, traces.length]);
        return groups.map(({ value }) => value);
      };
      expect((await found('count')).slice(0, 3)).toEqual(['u120', 'u121', 'u122']);
      expect((await found('errors')).slice(0, 4)).toEqual(['u000', 'u001', 'u002', 'u120']);
      expect((await found('p95')).slice(0, 3)).toEqual(['u000', 'u001', 'u002']);
    },
  );
});

describe('groups of requests', () => {
  test("cover all projects of the caller if the query names no project, and never another user's project", async () => {
    const { person, project } = await newcomer(scene.server);
    await sendTraces(scene.server, project.apiKey, [aTrace(), aTrace()]);
    expect((await group(person, { groupBy: 'endpoint' })).total).toBe(2);
    const foreign = { groupBy: 'endpoint', projectId: scene.project.id };
    expect(await refusal(group(person, foreign))).toMatchObject({ status: 404 });
    expect((await group(await signUp(scene.server), { groupBy: 'endpoint' })).groups).toEqual([]);
  });

  test('of a public project are shown only to members', async () => {
    const { person, project } = await newcomer(scene.server);
    await person.client.call(routes.projects.update, {
      params: { id: project.id },
      body: { public: true },
    });
    const query = { groupBy: 'user' as const, projectId: project.id };
    const { anyone } = scene.server;
    expect((await anyone.call(routes.traces.list, { query: { projectId: project.id } as never })).total).toBe(
      0,
    );
    const unknown = await refusal(anyone.call(routes.traces.groups, { query: query as never }));
    expect(unknown.status).toBe(401);
    expect(await refusal(group(await signUp(scene.server), query))).toMatchObject({ status: 404 });
  });

  test.each([
    [{}, 'groupBy'],
    [{ groupBy: 'path' }, 'groupBy'],
    [{ groupBy: 'user', sort: 'time' }, 'sort'],
    [{ groupBy: 'user', intervals: 0 }, 'intervals'],
    [{ groupBy: 'user', intervals: 25 }, 'intervals'],
    [{ groupBy: 'user', q: 'user' + ':' }, 'q'],
    [{ groupBy: 'user', startDate: '2026-02-02', endDate: '2026-02-01' }, 'endDate'],
  ])('with an invalid query are rejected with the name of the field: %o', async (query, field) => {
    const refused = await refusal(groupOwn(query as Query));
    expect(refused.status).toBe(400);
    expect(refused.details?.fields?.map(({ path }) => path)).toContain(field);
  });
});

test('a group’s filter term finds exactly the group’s value, or is omitted if no filter can express the value', () => {
  const fields = GROUP_FIELDS.filter((field) => field !== 'status' && field !== 'country');
  const anyGroup = fc.record({
    field: fc.constantFrom<GroupField>(...fields),
    verb: fc.constantFrom('', 'GET', 'ALL', 'no method'),
    value: fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 1 })),
  });
  fc.assert(
    fc.property(anyGroup, ({ field, verb, value }) => {
      const term = writeGroupTerm(field, { verb, value });
      expect(term === null).toBe(value.includes('\0') || ['ALL', 'no method'].includes(verb));
      if (term === null) return;
      const method = verb === '' ? {} : { method: verb };
      expect(parseTraceQuery(term).filters).toEqual({ ...method, [field]: value });
    }),
  );
  expect(writeGroupTerm('user', { verb: '', value: 'a\0b' })).toBeNull();
  expect(writeGroupTerm('endpoint', { verb: 'ALL', value: '/' })).toBeNull();
});

const RANKS: Readonly<Record<GroupSort, (group: TraceGroup) => number>> = {
  count: ({ count }) => count,
  errors: ({ errors }) => errors,
  p95: ({ p95Duration }) => p95Duration,
};

function sortByName<Group extends { readonly method: string | null; readonly value: string | null }>(
  groups: readonly Group[],
): Group[] {
  const name = ({ method, value }: Group) => `${method} ${value}`;
  return groups.toSorted((one, other) => (name(one) < name(other) ? -1 : 1));
}
