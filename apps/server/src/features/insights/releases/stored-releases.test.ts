import { type Finding, routes } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  type Person,
  sendTraces,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../fixtures/planted.ts';

/** A time in the afternoon, so that the range, which ends at midnight, has future hours without requests. */
const NOW_MS = Date.parse('2026-11-20T17:30:00Z');
const HOUR_MS = 3_600_000;
/** Noon, two days ago. */
const NOON_MS = Date.parse('2026-11-18T12:00:00Z');
const HOURS = 14 * 24;

/** How the requests of a release differ from those of other releases. */
interface Habits {
  readonly declined?: number;
  readonly slow?: number;
  readonly bytes?: number;
  readonly heap?: number;
  readonly calls?: number;
}

interface Planted {
  /** The releases after v1, each with the time from which it runs. */
  readonly releases: readonly (readonly [startMs: number, release: string])[];
  /** The differences of each release. */
  readonly habits: Readonly<Record<string, Habits>>;
}

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer({ clock: createFakeClock(new Date(NOW_MS)) });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(() => server.stop());

/** Yields the requests of one endpoint over fourteen days: 30 an hour from 10:00 to 16:00, and four in other hours. */
function* listTraces({ releases, habits }: Planted) {
  const random = randomFrom(17);
  for (let hour = 0; hour < HOURS; hour += 1) {
    const startHourMs = NOW_MS - (HOURS - hour) * HOUR_MS;
    const hourOfDay = new Date(startHourMs).getUTCHours();
    const requests = hourOfDay >= 10 && hourOfDay < 16 ? 30 : 4;
    for (let n = 0; n < requests; n += 1) {
      const startMs = Math.floor(startHourMs + random() * HOUR_MS);
      const release = releases.filter(([since]) => since <= startMs).at(-1)?.[1] ?? 'v1';
      const of = habits[release] ?? {};
      const isDeclined = random() < (of.declined ?? 0.01);
      const duration = Math.round((40 + 20 * random()) * (random() < (of.slow ?? 0.005) ? 20 : 1));
      const heapUsed = Math.round((of.heap ?? 8e7) + 1e7 * random());
      const bytes = (of.bytes ?? 400) + Math.floor(40 * random());
      const startTime = new Date(startMs).toISOString();
      const trace = {
        request: { method: 'POST', path: '/orders', route: '/orders' },
        response: { statusCode: isDeclined ? 502 : 200, headers: { 'content-length': String(bytes) } },
        ...(isDeclined && { error: { hasError: true, errorMessage: `Card ${1000 + n} was declined` } }),
        performance: { memoryUsage: { heapUsed } },
        timing: { startTime, duration },
        flow: Array.from({ length: of.calls ?? 1 }, (_, index) => ({
          ...{ stepId: String(index), stepName: 'POST payments.example/charges', stepType: 'http' as const },
          ...{ startTime, duration: 1, metadata: { 'server.address': 'payments.example' } },
        })),
      };
      yield { release, trace };
    }
  }
}

async function findInsights(planted: Planted) {
  const project = await makeProject(owner);
  for (const [release, all] of Map.groupBy(listTraces(planted), (one) => one.release)) {
    const traces = all.map(({ trace }) => trace);
    const sender = { name: 'shop', environment: 'production', release };
    for (let at = 0; at < traces.length; at += 400) {
      await sendTraces(server, project.apiKey, traces.slice(at, at + 400), sender);
    }
  }
  const params = { id: project.id };
  const { insights } = await owner.client.call(routes.analytics.insights, { params });
  return { findings: insights.findings, traces: [...listTraces(planted)] };
}

async function readList({ traces }: Finding) {
  return owner.client.call(routes.traces.list, { query: { ...traces, limit: '500' } as never });
}

const AT_NOON = [
  [NOON_MS, 'v2'],
  [NOON_MS + HOUR_MS, 'v3'],
] as const;
const ROLLED_BACK = [
  [NOON_MS, 'v2'],
  [NOON_MS + 2 * HOUR_MS, 'v1'],
] as const;
const ERROR = { name: 'error', value: 'Card … was declined' } as const;

describe('the comparison of a release with the release before', { timeout: 120_000 }, () => {
  test('finds nothing if no release differs from the release before', async () => {
    const releases = [...AT_NOON, [NOON_MS + 20 * HOUR_MS, 'v4']] as const;
    expect((await findInsights({ releases, habits: {} })).findings).toEqual([]);
  });

  test.each(
    pickRows(
      [
        [
          'fails more often with a known error, for an hour at noon before the next release',
          { releases: AT_NOON, habits: { v2: { declined: 0.4 } } },
          { signal: 'errorRate', part: ERROR },
        ],
        [
          'has more slow requests, and is rolled back',
          { releases: ROLLED_BACK, habits: { v2: { slow: 0.2 } } },
          { signal: 'p99', part: null },
        ],
        [
          'sends larger responses, for an hour at noon before the next release',
          { releases: AT_NOON, habits: { v2: { bytes: 4000 } } },
          { signal: 'responseSize', part: null },
        ],
        [
          'calls a server more often, and is rolled back',
          { releases: ROLLED_BACK, habits: { v2: { calls: 5 } } },
          { signal: 'calls', part: { name: 'dependency', value: 'payments.example' } },
        ],
        [
          'needs a larger heap, and is rolled back',
          { releases: ROLLED_BACK, habits: { v2: { heap: 4e8 } } },
          { signal: 'memory', part: null },
        ],
      ] as const,
      { usually: 2 },
    ),
  )('finds a release that %s, with a link to its requests', async (_what, planted, { signal, part }) => {
    const { findings, traces } = await findInsights(planted);
    expect(findings).toMatchObject([
      {
        kind: 'changed',
        service: 'shop',
        endpoint: signal === 'memory' ? null : { method: 'POST', path: '/orders' },
        title: expect.stringMatching(/, since release v2$/),
        detail: expect.stringMatching(/ in release v1 to .* in release v2 in production\.$/),
        startsWithin: null,
        evidence: { signal, part, against: 'release', release: 'v2', previousRelease: 'v1' },
      },
    ]);
    const ofRelease = traces.filter(({ release }) => release === 'v2').map(({ trace }) => trace);
    const first = Math.min(...ofRelease.map(({ timing }) => Date.parse(timing.startTime)));
    for (const finding of findings) {
      expect(Date.parse(finding.since)).toBe(first);
      const list = await readList(finding);
      expect(list.total).toBe(finding.requestCount);
      const { minDuration } = finding.traces;
      const counted = ofRelease.filter(({ error, timing }) => {
        if (signal === 'errorRate') return error !== undefined;
        return timing.duration >= Number(minDuration ?? 0);
      });
      expect(list.total).toBe(counted.length);
      expect(minDuration === undefined).toBe(signal !== 'p99');
    }
  });

  test('gives only one finding for a release that fails more often and is still running, although the error rate is also higher than on earlier days', async () => {
    const { findings } = await findInsights({
      releases: [[NOW_MS - 5 * HOUR_MS, 'v2']],
      habits: { v2: { declined: 0.3 } },
    });
    expect(findings).toMatchObject([
      { kind: 'changed', evidence: { signal: 'errorRate', part: ERROR, against: 'release', release: 'v2' } },
    ]);
  });

  test('names the first release with a problem that goes on in the next release, and shows the requests of both releases', async () => {
    const { findings, traces } = await findInsights({
      releases: [
        [NOW_MS - 8 * HOUR_MS, 'v2'],
        [NOW_MS - 4 * HOUR_MS, 'v3'],
      ],
      habits: { v2: { declined: 0.3 }, v3: { declined: 0.3 } },
    });
    expect(findings).toMatchObject([
      {
        kind: 'changed',
        title: expect.stringMatching(/, since release v2$/),
        detail: expect.stringMatching(/The release before was v1\.$/),
        evidence: { signal: 'errorRate', part: ERROR, against: 'earlierDays', release: 'v2' },
      },
    ]);
    for (const finding of findings) {
      const list = await readList(finding);
      expect(list.total).toBe(finding.requestCount);
      expect(list.traces.at(-1)?.timing.startTime).toBe(finding.since);
      const failed = traces.filter(({ release, trace }) => release !== 'v1' && 'error' in trace);
      expect(list.total).toBe(failed.length);
    }
  });
});
