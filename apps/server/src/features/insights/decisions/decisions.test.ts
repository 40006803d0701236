import { routes } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer({ clock });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(() => server.stop());

/** Creates a project with a new error among ordinary requests. */
async function createFailingProject() {
  const project = await makeProject(owner);
  const now = clock.now().getTime();
  const ordinary = Array.from({ length: 60 }, (_request, index) => ({
    request: { method: 'GET', path: '/orders', route: '/orders' },
    timing: { startTime: new Date(now - 10 * 24 * HOUR_MS + index * 60_000).toISOString(), duration: 10 },
  }));
  await sendTraces(server, project.apiKey, ordinary);
  await fail(project.apiKey);
  return project;
}

const fail = (apiKey: string) =>
  sendTraces(
    server,
    apiKey,
    Array.from({ length: 5 }, (_request, index) => ({
      request: { method: 'GET', path: '/orders', route: '/orders' },
      timing: { startTime: new Date(clock.now().getTime() - (index + 1) * 1000).toISOString(), duration: 10 },
      error: { hasError: true, errorMessage: 'no table for the country' },
    })),
  );

async function readInsights(id: string) {
  const { insights } = await owner.client.call(routes.analytics.insights, { params: { id } });
  return insights;
}

test('a finding can be dismissed, shown again, snoozed and marked as fixed, and reappears when the problem occurs again', async () => {
  const { id, apiKey } = await createFailingProject();
  const [finding] = (await readInsights(id)).findings;
  expect(finding).toMatchObject({ kind: 'newError' });
  const params = { id, findingId: finding?.id ?? '' };
  const decide = async (body: { state: 'open' | 'dismissed' | 'snoozed' | 'fixed'; days?: 1 | 7 | 30 }) =>
    (await owner.client.call(routes.analytics.decideInsight, { params, body })).decision;

  expect(await decide({ state: 'dismissed' })).toEqual({
    ...{ state: 'dismissed', until: null },
    ...{ at: clock.now().toISOString(), by: expect.stringMatching(/^Owner/) },
  });
  expect(await readInsights(id)).toMatchObject({
    findings: [],
    hidden: [{ finding: { id: finding?.id }, decision: { state: 'dismissed' } }],
  });

  expect(await decide({ state: 'open' })).toBeNull();
  expect(await readInsights(id)).toMatchObject({ findings: [{ id: finding?.id }], hidden: [] });

  const until = new Date(clock.now().getTime() + 24 * HOUR_MS).toISOString();
  expect(await decide({ state: 'snoozed', days: 1 })).toMatchObject({ state: 'snoozed', until });
  expect((await readInsights(id)).hidden).toHaveLength(1);
  clock.advance(24 * HOUR_MS);
  expect(await readInsights(id)).toMatchObject({ findings: [{ id: finding?.id }], hidden: [], returned: [] });

  await decide({ state: 'fixed' });
  expect((await readInsights(id)).hidden).toHaveLength(1);
  clock.advance(HOUR_MS);
  await fail(apiKey);
  expect(await readInsights(id)).toMatchObject({
    ...{ findings: [{ id: finding?.id, requestCount: 10 }], hidden: [], returned: [finding?.id] },
  });
});

test.each([
  ['no state', {}, 'state'],
  ['an unknown state', { state: 'gone' }, 'state'],
  ['a snooze without days', { state: 'snoozed' }, 'days'],
  ['a snooze of 2 days', { state: 'snoozed', days: 2 }, 'days'],
  ['days together with the state fixed', { state: 'fixed', days: 7 }, 'days'],
])('a decision is refused if it has %s, and the error names the field', async (_what, body, field) => {
  const { id } = await makeProject(owner);
  const params = { id, findingId: '0123456789abcdef' };
  const refused = await refusal(
    owner.client.call(routes.analytics.decideInsight, { params, body: body as never }),
  );
  expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(JSON.stringify(refused)).toContain(field);
});

test('a decision about an invalid finding id gives 404, and a plan without insights allows no decisions', async () => {
  const { id } = await makeProject(owner);
  const body = { state: 'dismissed' } as const;
  for (const findingId of ['sample-slower', 'x'.repeat(2000), "0123456789abcde'"]) {
    const call = owner.client.call(routes.analytics.decideInsight, { params: { id, findingId }, body });
    expect(await refusal(call)).toMatchObject({ status: 404 });
  }
  const { owner: other } = await makeOrganization(server);
  const project = await makeProject(other);
  const params = { id: project.id, findingId: '0123456789abcdef' };
  expect(await refusal(other.client.call(routes.analytics.decideInsight, { params, body }))).toMatchObject({
    code: 'plan_limit',
  });
});
