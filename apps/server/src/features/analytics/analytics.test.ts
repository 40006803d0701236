import { routes } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareAll, type Query } from './fixtures/compare-answers.ts';
import { expectListed } from './fixtures/listed-traces.ts';
import { aRequest, type PlainRequest, send } from './fixtures/plain-requests.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-11-21T15:20:00Z');
const clock = createFakeClock(new Date(NOW_MS));

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer({ clock });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(() => server.stop());

/** Compares the stats on the Analytics screens with stats that are computed from the sent requests in the simplest way. */
async function compare(
  project: TestProject,
  all: readonly PlainRequest[],
  query: Query,
  person = owner,
): Promise<void> {
  await compareAll(person.client, project.id, all, query);
}

const one = (startMs: number, seed: number): PlainRequest => {
  const [made] = fc.sample(aRequest(fc.constant(startMs)), { numRuns: 1, seed });
  if (made === undefined) throw new Error('no request was made');
  return made;
};

/** Time zones with a day on which clocks change, or with an offset from UTC that is not a whole number of hours. */
const CHANGES = [
  { timeZone: 'Europe/Berlin', day: '2026-10-25' },
  { timeZone: 'America/St_Johns', day: '2026-11-01' },
  { timeZone: 'Australia/Lord_Howe', day: '2026-10-04' },
  { timeZone: 'America/Santiago', day: '2026-09-06' },
  { timeZone: 'Asia/Kolkata', day: '2026-11-20' },
] as const;

describe('each stat of each screen', () => {
  test('equals the same number computed from an array of the traces, for any range, time zone and filter', {
    timeout: repetitions({ usually: 600_000, thoroughly: 3_600_000 }),
  }, async () => {
    const startMs = fc.oneof(
      fc.integer({ min: NOW_MS - 20 * DAY_MS, max: NOW_MS }),
      fc.integer({ min: NOW_MS - 8 * HOUR_MS, max: NOW_MS }),
      fc
        .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -6 * HOUR_MS, max: 30 * HOUR_MS }))
        .map(([{ day }, ms]) => Date.parse(day) + ms),
    );
    const days = fc.tuple(fc.nat(30), fc.nat(30)).map(([first, more]) => {
      const day = (ago: number) => new Date(NOW_MS - ago * DAY_MS).toISOString().slice(0, 10);
      return { startDate: day(first), endDate: day(Math.max(0, first - more)) };
    });
    const instants = fc.tuple(startMs, fc.integer({ min: 1, max: 9 * DAY_MS })).map(([from, ms]) => ({
      startDate: new Date(from).toISOString(),
      endDate: new Date(from + ms).toISOString(),
    }));
    const query: fc.Arbitrary<Query> = fc
      .record({
        range: fc.oneof(days, instants),
        timeZone: fc.constantFrom('UTC', ...CHANGES.map((change) => change.timeZone)),
        filters: fc.record(
          {
            service: fc.constantFrom('shop', 'billing'),
            environment: fc.constantFrom('production', 'staging'),
            release: fc.constantFrom('v1', 'v2'),
          },
          { requiredKeys: [] },
        ),
      })
      .map(({ range, filters, timeZone }) => ({ ...range, ...filters, timeZone }));
    // Number of first runs that also request the trace list behind each count, which takes as long as the rest of a run.
    let listings = repetitions({ usually: 1, thoroughly: 200 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRequest(startMs), { maxLength: 60 }),
        fc.array(query, isThorough() ? { minLength: 2, maxLength: 3 } : { minLength: 1, maxLength: 1 }),
        async (all, queries) => {
          const project = await makeProject(owner);
          await send(server.url, project.apiKey, all);
          for (const each of [{ timeZone: 'UTC' }, ...queries]) await compare(project, all, each);
          const [first] = queries;
          if (listings > 0 && first !== undefined) await expectListed(owner.client, project.id, all, first);
          listings -= 1;
        },
      ),
      { numRuns: repetitions({ usually: 1, thoroughly: 200 }) },
    );
  });

  test('is also exact for the previous period if the clocks went back on the last day of the previous period', async () => {
    const endMs = Date.parse('2026-10-25T23:00:00Z');
    const all = Array.from({ length: 60 }, (_, seed) => one(endMs - 1 - seed * 240_000, seed));
    const project = await makeProject(owner);
    await send(server.url, project.apiKey, all);
    await compare(project, all, {
      startDate: '2026-10-26',
      endDate: '2026-10-26',
      timeZone: 'Europe/Berlin',
    });
  });

  test.runIf(isThorough()).each(CHANGES)(
    'is also exact on the day on which the clocks of $timeZone change',
    { timeout: 120_000 },
    async ({ timeZone, day }) => {
      const beganMs = Date.parse(day);
      const times = fc.integer({ min: beganMs - 20 * HOUR_MS, max: beganMs + 40 * HOUR_MS });
      const all = fc.sample(aRequest(times), { numRuns: 80, seed: 7 });
      const project = await makeProject(owner);
      await send(server.url, project.apiKey, all);
      await compare(project, all, { startDate: day, endDate: day, timeZone });
      const around = (ms: number) => new Date(beganMs + ms).toISOString().slice(0, 10);
      await compare(project, all, { startDate: around(DAY_MS), endDate: around(DAY_MS), timeZone });
      await compare(project, all, { startDate: around(-DAY_MS), endDate: around(DAY_MS), timeZone });
      await compare(project, all, { startDate: around(-10 * DAY_MS), endDate: around(2 * DAY_MS), timeZone });
    },
  );

  test.runIf(isThorough())(
    'is returned for a project without requests and for a project with a single request',
    {
      timeout: 120_000,
    },
    async () => {
      const project = await makeProject(owner);
      await compare(project, [], { timeZone: 'UTC' });
      const all = [one(NOW_MS - HOUR_MS, 3)];
      await send(server.url, project.apiKey, all);
      await compare(project, all, { timeZone: 'Europe/Berlin' });
    },
  );

  test.runIf(isThorough())(
    'is still exact after traces arrive late, are deleted, or expire',
    { timeout: 120_000 },
    async () => {
      // The organization's plan shows traces for three weeks.
      const { owner: person } = await makeOrganization(server);
      const project = await makeProject(person);
      const days = { startDate: '2026-11-01', endDate: '2026-11-19', timeZone: 'Europe/Berlin' };
      const first = [1, 2, 3, 4, 5, 6].map((seed) => one(Date.parse('2026-11-10T10:00:00Z') + seed, seed));
      await send(server.url, project.apiKey, first);
      await compare(project, first, days, person);
      const late = [7, 8].map((seed) => one(Date.parse('2026-11-02T23:30:00Z') + seed, seed));
      await send(server.url, project.apiKey, late);
      await compare(project, [...first, ...late], days, person);
      const { traces } = await person.client.call(routes.traces.list, {
        query: { projectId: project.id, limit: 1 },
      });
      await person.client.call(routes.traces.remove, { params: { id: traces[0]?._id ?? '' } });
      await compare(project, [...first.slice(0, -1), ...late], days, person);
      clock.set(new Date('2026-11-27T12:00:00Z'));
      try {
        await compare(project, first.slice(0, -1), days, person);
      } finally {
        clock.set(new Date(NOW_MS));
      }
      await person.client.call(routes.traces.removeOfProject, { params: { id: project.id } });
      await compare(project, [], days, person);
    },
  );
});

describe('a request for stats', () => {
  const call = async (query: Query) => {
    const { id } = await makeProject(owner);
    return owner.client.call(routes.analytics.overview, { params: { id }, query });
  };

  test('covers the last seven days, including today, if it names no range', async () => {
    const { overview } = await call({ timeZone: 'Asia/Kolkata' });
    expect(overview.range).toMatchObject({
      startDate: '2026-11-14T18:30:00.000000Z',
      endDate: '2026-11-21T18:30:00.000000Z',
      interval: 'hour',
    });
    // Six whole days, and the 21 hours of today that have begun: 15:20 UTC is 20:50 in the requested time zone.
    expect(overview.requestVolume).toHaveLength(6 * 24 + 21);
  });

  test.each([
    [60_000, 'second', 60],
    [HOUR_MS, 'minute', 60],
    [6 * HOUR_MS, 'fiveMinutes', 72],
    [12 * HOUR_MS, 'fiveMinutes', 144],
    [24 * HOUR_MS, 'quarterHour', 97],
    [25 * HOUR_MS, 'quarterHour', 101],
    [48 * HOUR_MS, 'hour', 49],
    [30 * DAY_MS, 'day', 31],
  ] as const)('of a range of %d ms has intervals of a %s', async (lengthMs, interval, parts) => {
    const { overview } = await call({
      startDate: new Date(NOW_MS - lengthMs).toISOString(),
      endDate: new Date(NOW_MS).toISOString(),
      timeZone: 'UTC',
    });
    expect(overview.range.interval).toBe(interval);
    expect(overview.requestVolume).toHaveLength(parts);
  });

  test('returns no interval that begins in the future, on any tab of Analytics', async () => {
    const { id } = await makeProject(owner);
    const input = {
      params: { id },
      query: { startDate: '2026-11-21', endDate: '2026-11-22', timeZone: 'UTC' },
    };
    const { analytics } = routes;
    const { performance } = await owner.client.call(analytics.performance, input);
    const series = [
      (await owner.client.call(analytics.overview, input)).overview.requestVolume,
      performance.timeSeries,
      (await owner.client.call(analytics.errors, input)).errors.trends,
      (await owner.client.call(analytics.system, input)).system.timeSeries,
      (await owner.client.call(analytics.users, input)).users.sessions.timeSeries,
    ].map((parts) => parts.map(({ time }) => time));
    for (const times of [...series, performance.latencyHeatmap.times]) {
      expect(times).toHaveLength(16);
      expect(times.at(-1)).toBe('2026-11-21T15:00:00.000000Z');
    }
  });

  test.runIf(isThorough())('returns when the first and the last visible trace started', async () => {
    const { owner: person } = await makeOrganization(server);
    const project = await makeProject(person);
    const params = { id: project.id };
    const extent = async () => (await person.client.call(routes.analytics.extent, { params })).extent;
    expect(await extent()).toBeNull();
    const times = ['2026-11-02T12:00:00Z', '2026-11-17T09:30:00Z', '2026-11-16T12:00:00Z'].map(Date.parse);
    await send(
      server.url,
      project.apiKey,
      times.map((ms, seed) => one(ms, seed)),
    );
    expect(await extent()).toEqual({
      first: '2026-11-02T12:00:00.000000Z',
      last: '2026-11-17T09:30:00.000000Z',
    });
    // From this time on, the traces of 2 November are older than the three weeks that the plan shows.
    clock.set(new Date('2026-11-27T12:00:00Z'));
    try {
      expect(await extent()).toMatchObject({ first: '2026-11-16T12:00:00.000000Z' });
    } finally {
      clock.set(new Date(NOW_MS));
    }
  });

  test.runIf(isThorough())(
    'returns the releases with the time of the first visible trace of each, newest release first',
    async () => {
      const { owner: person } = await makeOrganization(server);
      const project = await makeProject(person);
      const params = { id: project.id };
      const list = async () => (await person.client.call(routes.analytics.releases, { params })).releases;
      expect(await list()).toEqual([]);
      const sent = [
        ['2026-11-18T12:00:00Z', 'v2'],
        ['2026-11-17T09:30:00Z', 'v2'],
        ['2026-11-02T12:00:00Z', 'v1'],
        ['2026-11-16T12:00:00Z', 'v1'],
        ['2026-11-19T12:00:00Z', ''],
      ] as const;
      await send(
        server.url,
        project.apiKey,
        sent.map(([at, release], seed) => ({ ...one(Date.parse(at), seed), release })),
      );
      const v2 = { release: 'v2', firstSeen: '2026-11-17T09:30:00.000000Z' };
      expect(await list()).toEqual([v2, { release: 'v1', firstSeen: '2026-11-02T12:00:00.000000Z' }]);
      // From this time on, the traces of 2 November are older than the three weeks that the plan shows.
      clock.set(new Date('2026-11-27T12:00:00Z'));
      try {
        expect(await list()).toEqual([v2, { release: 'v1', firstSeen: '2026-11-16T12:00:00.000000Z' }]);
      } finally {
        clock.set(new Date(NOW_MS));
      }
    },
  );

  test.each([
    [{ startDate: '2026-11-03', endDate: '2026-11-02' }, 'endDate'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ startDate: '2025-01-01', endDate: '2026-11-02' }, 'startDate'],
    [{ startDate: '2026-02-30' }, 'startDate'],
    [{ startDate: 'yesterday' }, 'startDate'],
  ])('is refused with the parameters %j, and the error names the wrong parameter', async (query, path) => {
    const { id } = await makeProject(owner);
    const refused = await refusal(owner.client.call(routes.analytics.overview, { params: { id }, query }));
    expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(JSON.stringify(refused.details)).toContain(path);
  });

  test('compares the range with the same number of earlier days if the plan’s retention includes all of these days', async () => {
    const project = await makeProject(owner);
    const before = [11, 12, 13].map((seed) => one(Date.parse('2026-11-08T12:00:00Z') + seed, seed));
    const after = [14, 15].map((seed) => one(Date.parse('2026-11-16T12:00:00Z') + seed, seed));
    await send(server.url, project.apiKey, [...before, ...after]);
    const params = { id: project.id };
    const compareWith = { compare: 'previous' } as const;
    const { overview } = await owner.client.call(routes.analytics.overview, { params, query: compareWith });
    expect([overview.metrics.totalTraces, overview.previous?.totalTraces]).toEqual([2, 3]);
    // Each of the seven days has 24 intervals. The requests at 12:00 of the first day are in its 13th interval.
    const volume = overview.previousVolume ?? [];
    expect(volume[0]?.time).toBe('2026-11-08T00:00:00.000000Z');
    expect(volume.map(({ requestCount }) => requestCount).indexOf(3)).toBe(12);
    const hourBefore = { startDate: '2026-11-08T13:00:30Z', endDate: '2026-11-08T14:00:30Z' };
    const minutes = await owner.client.call(routes.analytics.overview, {
      params,
      query: { ...compareWith, ...hourBefore },
    });
    const starts = minutes.overview.previousVolume?.map(({ time }) => time.slice(11, 19));
    expect(starts?.slice(0, 3)).toEqual(['12:00:30', '12:01:00', '12:02:00']);
    expect(starts).toHaveLength(minutes.overview.requestVolume.length);
    const long = { ...compareWith, startDate: '2026-09-20', endDate: '2026-11-21' };
    const hidden = await owner.client.call(routes.analytics.overview, { params, query: long });
    expect([hidden.overview.previous, hidden.overview.previousVolume]).toEqual([null, null]);
    const shown = { startDate: '2026-11-08T00:00:00.000000Z', shownSince: null };
    expect(overview.range.previous).toMatchObject(shown);
    expect(hidden.overview.range.previous?.shownSince).toMatch(/^2026-/);
  });
});
