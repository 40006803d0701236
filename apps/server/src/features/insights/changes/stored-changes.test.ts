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
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../fixtures/planted.ts';

/** A time in the afternoon, so that the range, which ends at midnight, has future hours without requests. */
const NOW_MS = Date.parse('2026-11-21T15:30:00Z');
const HOUR_MS = 3_600_000;
const START_MS = NOW_MS - 10 * HOUR_MS;
const HOURS = 14 * 24;

interface Planted {
  /** Returns the ids of the users whose requests an instance receives, in turn. Left out if the requests have no users. */
  readonly users?: (instance: string) => readonly string[];
  readonly fails?: (startMs: number, user: string | undefined) => number;
  readonly factor?: (startMs: number, instance: string) => number;
  readonly isSilent?: (startMs: number) => boolean;
}

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer({ clock: createFakeClock(new Date(NOW_MS)) });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(() => server.stop());

/** Yields the requests that one instance receives for one endpoint over fourteen days, about four an hour. */
function* listTraces({ users, factor, fails, isSilent }: Planted, instance: string) {
  const random = randomFrom(instance === 'web-1' ? 5 : 6);
  const ids = users?.(instance) ?? [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    for (let n = 0; n < 4; n += 1) {
      const startMs = Math.floor(NOW_MS - (HOURS - hour) * HOUR_MS + random() * HOUR_MS);
      const user = ids[n % ids.length];
      const isError = random() < (fails?.(startMs, user) ?? 0.01);
      if (isSilent?.(startMs) === true) continue;
      yield {
        request: { method: 'GET', path: '/orders', route: '/orders' },
        response: { statusCode: isError ? 500 : 200 },
        ...(user !== undefined && { user: { id: user } }),
        ...(isError && { error: { hasError: true, errorMessage: 'The payment was refused' } }),
        timing: {
          startTime: new Date(startMs).toISOString(),
          duration: Math.round((40 + 20 * random()) * (factor?.(startMs, instance) ?? 1)),
        },
      };
    }
  }
}

async function findInsights(planted: Planted, query = {}) {
  const project = await makeProject(owner);
  for (const instance of ['web-1', 'web-2']) {
    const sender = { name: 'shop', environment: 'production', instance };
    const traces = [...listTraces(planted, instance)];
    for (let at = 0; at < traces.length; at += 400) {
      await sendTraces(server, project.apiKey, traces.slice(at, at + 400), sender);
    }
  }
  const params = { id: project.id };
  return (await owner.client.call(routes.analytics.insights, { params, query })).insights.findings;
}

const readList = (traces: Finding['traces']) =>
  owner.client.call(routes.traces.list, { query: { ...traces, limit: '500' } as never });

const isLate = (startMs: number) => startMs >= START_MS;
const findHoursOff = (since: string) => Math.abs(Date.parse(since) - START_MS) / HOUR_MS;

describe('the search for endpoints that changed within a week', { timeout: 120_000 }, () => {
  test('finds nothing if nothing changed', async () => {
    expect(await findInsights({})).toEqual([]);
  });

  test('finds an endpoint that is slower, with its stats and a link to the requests since the change', async () => {
    const findings = await findInsights({ factor: (startMs) => (isLate(startMs) ? 4 : 1) });
    expect(findings).toMatchObject([
      {
        kind: 'changed',
        service: 'shop',
        endpoint: { method: 'GET', path: '/orders' },
        evidence: { signal: 'p50', environment: 'production', part: null },
      },
    ]);
    for (const { since, traces, requestCount, exampleTraceIds } of findings) {
      expect(findHoursOff(since)).toBeLessThanOrEqual(1);
      expect(exampleTraceIds).toHaveLength(5);
      const list = await readList(traces);
      expect(list.total).toBe(requestCount);
      expect(list.traces.at(-1)?.timing.startTime).toBe(since);
    }
  });

  test.runIf(isThorough())(
    'finds a slower endpoint in a range of six hours, since the comparison also reads the days before the range',
    async () => {
      const startDate = new Date(NOW_MS - 6 * HOUR_MS).toISOString();
      const endDate = new Date(NOW_MS).toISOString();
      const findings = await findInsights(
        { factor: (startMs) => (isLate(startMs) ? 4 : 1) },
        { startDate, endDate },
      );
      expect(findings).toMatchObject([{ kind: 'slower', endpoint: { path: '/orders' } }]);
    },
  );

  test.runIf(isThorough())('names the only instance that is slower', async () => {
    const findings = await findInsights({
      factor: (startMs, instance) => (isLate(startMs) && instance === 'web-2' ? 4 : 1),
    });
    expect(findings.map(({ evidence }) => 'part' in evidence && evidence.part)).toEqual([
      { name: 'instance', value: 'web-2' },
    ]);
    for (const { traces, requestCount, exampleTraceIds } of findings) {
      const list = await readList(traces);
      expect(list.total).toBe(requestCount);
      expect(list.traces.map(({ _id }) => _id)).toEqual(expect.arrayContaining([...exampleTraceIds]));
    }
  });

  test('names the only user whose requests fail, with a link to the failed requests of this user', async () => {
    const findings = await findInsights({
      users: (instance) => (instance === 'web-1' ? ['ada', 'bo'] : ['bo', 'cy']),
      fails: (startMs, user) => (isLate(startMs) && user === 'ada' ? 0.95 : 0.01),
    });
    expect(findings).toMatchObject([
      {
        title: expect.stringContaining('GET /orders from user ada has a higher error rate'),
        evidence: { signal: 'errorRate', part: { name: 'user', value: 'ada' } },
        traces: { user: 'ada', status: 'error' },
      },
    ]);
    for (const { traces, requestCount } of findings) {
      expect((await readList(traces)).total).toBe(requestCount);
    }
  });

  test.runIf(isThorough())(
    'finds an endpoint at which a known error becomes thirty times as frequent',
    async () => {
      const findings = await findInsights({ fails: (startMs) => (isLate(startMs) ? 0.3 : 0.01) });
      expect(findings).toMatchObject([
        { kind: 'changed', severity: 'high', evidence: { signal: 'errorRate' } },
      ]);
      for (const { since, traces, requestCount } of findings) {
        expect(findHoursOff(since)).toBeLessThanOrEqual(3);
        expect((await readList(traces)).total).toBe(requestCount);
      }
    },
  );

  test.runIf(isThorough())(
    'finds an endpoint whose requests stop, with a link to the last requests',
    async () => {
      const findings = await findInsights({ isSilent: isLate });
      expect(findings).toMatchObject([
        { kind: 'changed', severity: 'high', evidence: { signal: 'requests', after: 0 } },
      ]);
      for (const { since, requestCount } of findings) {
        expect(findHoursOff(since)).toBeLessThanOrEqual(1);
        expect(requestCount).toBeGreaterThan(0);
      }
    },
  );
});
