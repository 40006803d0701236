import { type Finding, routes, type StepType } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  type Person,
  sendTraces,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../fixtures/planted.ts';

/** A time in the afternoon, so that the range, which ends at midnight, has future hours without requests. */
const NOW_MS = Date.parse('2026-11-20T17:30:00Z');
const HOUR_MS = 3_600_000;
const START_MS = NOW_MS - 30 * HOUR_MS;
const HOURS = 14 * 24;

interface Planted {
  /** The factor by which calls take longer. */
  readonly slowCalls?: number;
  readonly failingCalls?: number;
  readonly misses?: number;
  readonly declined?: number;
  readonly items?: number;
  readonly heapAnHour?: number;
  readonly delay?: number;
  readonly cpu?: number;
  /** Calls to the payment service per request. */
  readonly calls?: number;
  readonly kept?: number;
  /** Share of the tenant acme's requests that fail. */
  readonly tenantFails?: number;
}

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer({ clock: createFakeClock(new Date(NOW_MS)) });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(() => server.stop());

/**
 * Yields the requests of one endpoint over fourteen days, about six an hour, with steps that call a cache, a database and a payment
 * service.
 */
function* listTraces(planted: Planted) {
  const random = randomFrom(9);
  for (let at = 0; at < HOURS * 6; at += 1) {
    const startMs = Math.floor(NOW_MS - (HOURS - at / 6) * HOUR_MS + random() * (HOUR_MS / 6));
    const now: Planted = startMs >= START_MS ? planted : {};
    const tenant = ['acme', 'globex', 'stark'][Math.floor(random() * 3)] ?? '';
    const isDeclined =
      random() < (now.declined ?? 0.02) || (tenant === 'acme' && random() < (now.tenantFails ?? 0));
    const isMiss = random() < (now.misses ?? 0.1);
    const hasFailed = random() < (now.failingCalls ?? 0);
    const callMs = (60 + 20 * random()) * (now.slowCalls ?? 1);
    const isKept = random() < (now.kept ?? 1);
    const ownMs = 30 + 10 * random();
    if (!isKept) continue;
    const startTime = new Date(startMs).toISOString();
    const step = (stepId: string, stepName: string, stepType: StepType, duration: number, more = {}) => ({
      stepId,
      stepName,
      stepType,
      startTime,
      duration,
      ...more,
    });
    const message = `Card ending in ${1000 + Math.floor(random() * 9000)} was declined`;
    yield {
      request: { method: 'POST', path: '/orders', route: '/orders' },
      response: {
        statusCode: isDeclined || hasFailed ? 502 : 200,
        headers: { 'content-length': String(400 * (now.items ?? 1) + Math.floor(40 * random())) },
      },
      ...((isDeclined || hasFailed) && {
        error: { hasError: true, errorMessage: isDeclined ? message : 'The payment could not be made' },
      }),
      performance: {
        memoryUsage: {
          heapUsed: Math.round(
            8e7 + 1e7 * random() + ((startMs - START_MS) / HOUR_MS) * (now.heapAnHour ?? 0),
          ),
        },
        eventLoopDelay: (now.delay ?? 1) + random(),
        cpuUsage: (now.cpu ?? 14) * (0.7 + 0.6 * random()),
      },
      attributes: { tenant },
      timing: { startTime, duration: Math.round(ownMs + callMs) },
      flow: [
        step('1', 'GET', 'cache', 1),
        ...(isMiss ? [step('2', 'SELECT carts', 'database', 8)] : []),
        ...Array.from({ length: now.calls ?? 1 }, (_, index) =>
          step(String(3 + index), 'POST payments.example/charges', 'http', callMs, {
            metadata: { 'server.address': 'payments.example' },
            ...(hasFailed && { error: { name: 'Error', message: 'connect ECONNREFUSED' } }),
          }),
        ),
      ],
    };
  }
}

async function findInsights(planted: Planted) {
  const project = await makeProject(owner);
  const sender = { name: 'shop', environment: 'production' };
  const traces = [...listTraces(planted)];
  for (let at = 0; at < traces.length; at += 400) {
    await sendTraces(server, project.apiKey, traces.slice(at, at + 400), sender);
  }
  const params = { id: project.id };
  return (await owner.client.call(routes.analytics.insights, { params })).insights.findings;
}

async function expectShown({ traces, requestCount, since }: Finding) {
  const list = await owner.client.call(routes.traces.list, { query: { ...traces, limit: '500' } as never });
  expect(list.total).toBe(requestCount);
  expect(list.traces.at(-1)?.timing.startTime).toBe(since);
}

describe('the search for causes within the last 14 days of a service', { timeout: 120_000 }, () => {
  test.runIf(isThorough())('finds nothing in generated requests without a planted problem', async () => {
    expect(await findInsights({})).toEqual([]);
  });

  test.each(
    pickRows(
      [
        [
          'a dependency that is called five times per request',
          { calls: 5 },
          'calls',
          { name: 'dependency', value: 'payments.example' },
          '/orders',
        ],
        ['a process that uses more CPU time', { cpu: 60 }, 'cpu', null, null],
        [
          'a dependency that is slower',
          { slowCalls: 5 },
          'p50',
          { name: 'dependency', value: 'payments.example' },
          '/orders',
        ],
        [
          'a dependency whose calls fail',
          { failingCalls: 0.25 },
          'errorRate',
          { name: 'dependency', value: 'payments.example' },
          '/orders',
        ],
        [
          'a known error that comes five times as often',
          { declined: 0.1 },
          'errorRate',
          { name: 'error', value: 'Card ending in … was declined' },
          '/orders',
        ],
        [
          'an error that one tenant alone has more often',
          { tenantFails: 0.6 },
          'errorRate',
          { name: 'attribute', value: 'tenant:acme' },
          '/orders',
        ],
        [
          'a cache that misses',
          { misses: 0.8 },
          'cacheMisses',
          { name: 'dependency', value: 'database' },
          '/orders',
        ],
        ['responses that are larger', { items: 10 }, 'responseSize', null, '/orders'],
        ['a heap that grows', { heapAnHour: 12e6 }, 'memory', null, null],
        ['an event loop that is busy', { delay: 90 }, 'eventLoopDelay', null, null],
        ['traffic that fell to a quarter', { kept: 0.25 }, 'requests', null, '/orders'],
      ] as const,
      { usually: 2 },
    ),
  )(
    'finds %s, with the start of the change and a link to the requests',
    async (_what, planted, signal, part, path) => {
      const findings = await findInsights(planted);
      expect(findings).toMatchObject([
        {
          kind: 'changed',
          service: 'shop',
          endpoint: path === null ? null : { method: 'POST', path },
          evidence: { signal, part, environment: 'production' },
        },
      ]);
      // The title states the share of misses among the requests that read the cache, not among all requests.
      const shares = findings.filter(({ title }) => title.includes('misses the cache'));
      expect(shares).toHaveLength(signal === 'cacheMisses' ? 1 : 0);
      for (const { title } of shares)
        expect(title).toMatch(/% of the requests that read the cache, instead of/);
      for (const finding of findings) {
        expect(Math.abs(Date.parse(finding.since) - START_MS) / HOUR_MS).toBeLessThanOrEqual(6);
        const { from, to } = finding.startsWithin ?? {};
        if (signal === 'memory') expect(finding.startsWithin).toBeNull();
        else expect([from, to].map((at) => Date.parse(at ?? '') >= START_MS)).toEqual([false, true]);
        expect(finding.exampleTraceIds).toHaveLength(5);
        await expectShown(finding);
      }
    },
  );
});
