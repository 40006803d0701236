import { IngestTrace, routes } from '@throughline/contract';
import { createFakeClock, logIn, type Person, startServer, type TestServer } from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHistory } from '../../../../demo/src/history/history.ts';
import { planHistory, playVisit } from '../../../../demo/src/history/plan.ts';
import { sendVisits } from '../../../../demo/src/history/replay.ts';
import { DEMO_PASSWORD } from './index.ts';

/** The history ends at a fixed time, because the days and hours of its requests depend on this time. */
const UNTIL = new Date('2026-11-20T18:20:00Z');
/**
 * The test plays three of the eight rounds of the history. The first round covers all days already, and each further round adds requests.
 */
const PART = 3 / 8;

const planned = planHistory((await readHistory()).visits, UNTIL);
const visits = planned.slice(0, Math.ceil(planned.length * PART));

test("every trace of the demo's history is valid by the contract", () => {
  for (const visit of visits) for (const trace of playVisit(visit, 1)) IngestTrace.parse(trace);
});

describe.runIf(isThorough())('a server with the history of the demo', () => {
  let server: TestServer;
  let owner: Person;
  let id: string;
  let sent: number;

  async function readKey(): Promise<string> {
    const keys: string[] = [];
    await server.app.demo.followKey((key) => keys.push(key));
    return keys[0] ?? '';
  }

  beforeAll(async () => {
    server = await startServer({ demo: true, clock: createFakeClock(UNTIL) });
    await server.app.demo.ensure();
    owner = await logIn(server, 'owner@demo.example', DEMO_PASSWORD);
    const { projects } = await owner.client.call(routes.projects.list, {});
    id = projects[0]?.id ?? '';
    sent = await sendVisits({ url: server.url, apiKey: await readKey() }, visits, 1);
  }, 300_000);
  afterAll(() => server.stop());

  const DAY_MS = 86_400_000;
  const dayAgo = (days: number) => new Date(UNTIL.getTime() - days * DAY_MS).toISOString().slice(0, 10);
  const twoWeeks = () => ({
    params: { id },
    query: { startDate: dayAgo(14), endDate: dayAgo(0), timeZone: 'UTC' },
  });

  test('the whole history is stored once, even if the server receives a part of the history again', async () => {
    await sendVisits({ url: server.url, apiKey: await readKey() }, visits.slice(0, 20), 1);
    const { overview } = await owner.client.call(routes.analytics.overview, twoWeeks());
    expect(overview.metrics.totalTraces).toBe(sent);
    // Each day has requests, including the first and the last.
    expect(
      overview.requestVolume.filter(({ requestCount }) => requestCount > 0).length,
    ).toBeGreaterThanOrEqual(14);
  });

  test('the first part of the history has two releases, three countries and more than 25 users', async () => {
    const { filters } = await owner.client.call(routes.analytics.filters, twoWeeks());
    expect(filters).toEqual({
      services: ['shop'],
      environments: ['production'],
      releases: ['1.4.0', '1.5.0'],
    });
    const { users } = await owner.client.call(routes.analytics.users, twoWeeks());
    // The whole history has thirty users, but this test stores only its first part.
    expect(users.activeUsers).toBeGreaterThan(25);
    expect(users.activeUsers).toBeLessThanOrEqual(30);
    expect(users.geography.map(({ country }) => country).sort()).toEqual(['DE', 'FR', 'GB']);
  });

  test('one error affects only one tenant, and only in the newer release', async () => {
    const { errors } = await owner.client.call(routes.analytics.errors, twoWeeks());
    const failed = errors.commonErrors.find(({ message }) => message.includes("(reading 'rate')"));
    if (failed === undefined) throw new Error('no checkout failed');
    const count = async (query: object) =>
      (await owner.client.call(routes.traces.list, { query: { projectId: id, ...query } })).total;
    const errorGroup = failed.message;
    expect(failed.count).toBeGreaterThanOrEqual(5);
    expect(await count({ errorGroup })).toBe(failed.count);
    expect(await count({ errorGroup, attribute: ['tenant:old-shop'], release: '1.5.0' })).toBe(failed.count);
    // Customers of the tenant `shop` also buy, but do not get this error.
    expect(await count({ errorGroup, attribute: ['tenant:shop'] })).toBe(0);
    expect(
      await count({ endpoint: '/checkout', attribute: ['tenant:shop'], release: '1.5.0' }),
    ).toBeGreaterThan(failed.count);
  });

  test('insights report the three problems that the demo’s history contains', async () => {
    const { insights } = await owner.client.call(routes.analytics.insights, { params: { id }, query: {} });
    expect(insights.available).toBe(true);
    const found = insights.findings.map(
      ({ kind, endpoint }) => `${kind} ${endpoint?.method} ${endpoint?.path}`,
    );
    expect(found).toContain('slower GET /orders');
    expect(found.filter((finding) => finding.startsWith('slower'))).toHaveLength(1);
    expect(insights.findings.find(({ kind }) => kind === 'slower')?.evidence).toMatchObject({
      against: 'release',
      release: '1.5.0',
      previousRelease: '1.4.0',
    });
    expect(insights.findings.find(({ kind }) => kind === 'newError')?.evidence).toMatchObject({
      message: expect.stringContaining("(reading 'rate')"),
    });
    expect(found).toContain('repeatedQuery GET /reports/sales');
  });

  test("the shop's funnel has users in every step", async () => {
    const { business } = await owner.client.call(routes.analytics.business, twoWeeks());
    const people = business.conversionFunnel.steps.map(({ userCount }) => userCount);
    const [signedIn = 0, filled, bought = 0] = people;
    expect(signedIn).toBeGreaterThan(25);
    expect(filled).toBe(signedIn);
    // Customers of the tenant `old-shop` never complete the last step.
    expect(bought).toBeGreaterThan(20);
    expect(bought).toBeLessThan(signedIn);
  });

  test('the history is sent until it is complete, and not again afterwards', async () => {
    expect(await server.app.demo.findMissingHistory()).toBeInstanceOf(Date);
    await server.app.demo.historyPlayed();
    expect(await server.app.demo.findMissingHistory()).toBeUndefined();
  });
});
