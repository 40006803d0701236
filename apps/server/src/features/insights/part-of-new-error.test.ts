import { routes } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  type Person,
  sendTraces,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const NOW_MS = Date.parse('2026-11-21T15:30:00Z');
const DAY_MINUTES = 24 * 60;
const TENANTS = ['acme', 'initech', 'umbrella', 'hooli'];
const REQUESTS = 400;

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer({ clock: createFakeClock(new Date(NOW_MS)) });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(() => server.stop());

interface Asked {
  readonly tenant: string;
  readonly instance: string;
  readonly user: string | undefined;
}

/**
 * Sends requests of four tenants, two instances and eight users, over the last nine days. In the last day, the given requests fail. Returns
 * the findings about new errors.
 */
async function findNewErrors(isFailed: (asked: Asked) => boolean, hasUsers = true) {
  const project = await makeProject(owner);
  const all = Array.from({ length: REQUESTS }, (_, at) => {
    const asked: Asked = {
      tenant: TENANTS[at % TENANTS.length] ?? '',
      instance: `w${(Math.floor(at / 4) % 2) + 1}`,
      user: hasUsers ? `u${at % 8}` : undefined,
    };
    return { ...asked, minutesAgo: 9 * DAY_MINUTES * (1 - at / REQUESTS) };
  });
  for (const [instance, some] of Map.groupBy(all, (asked) => asked.instance)) {
    const traces = some.map(({ tenant, user, minutesAgo }) => {
      const hasError = minutesAgo < DAY_MINUTES && isFailed({ tenant, instance, user });
      return {
        request: { method: 'POST', path: '/orders', route: '/orders' },
        response: { statusCode: hasError ? 500 : 200 },
        timing: { startTime: new Date(NOW_MS - minutesAgo * 60_000).toISOString(), duration: 10 },
        attributes: { tenant },
        ...(user !== undefined && { user: { id: user } }),
        ...(hasError && { error: { hasError, errorMessage: 'No price list' } }),
        flow: [],
      };
    });
    await sendTraces(server, project.apiKey, traces, { name: 'shop', environment: 'production', instance });
  }
  const { insights } = await owner.client.call(routes.analytics.insights, { params: { id: project.id } });
  return insights.findings.flatMap((finding) =>
    finding.kind === 'newError' ? [{ title: finding.title, part: finding.evidence.part }] : [],
  );
}

test('a new error that occurs only in the requests of one tenant names the tenant and its share of the requests', async () => {
  expect(await findNewErrors(({ tenant }) => tenant === 'umbrella')).toEqual([
    {
      title: 'New error with tenant:umbrella: No price list',
      part: { name: 'attribute', value: 'tenant:umbrella', share: expect.closeTo(25, -1) },
    },
  ]);
});

test('a new error that occurs only on one instance names the instance', async () => {
  const found = await findNewErrors(({ instance }) => instance === 'w2', false);
  expect(found).toMatchObject([
    { title: 'New error on instance w2: No price list', part: { name: 'instance', value: 'w2' } },
  ]);
});

test('a new error of one user names the user, but not the tenant to which the user belongs', async () => {
  expect(await findNewErrors(({ user }) => user === 'u7')).toMatchObject([
    { title: 'New error from user u7: No price list', part: { name: 'user', value: 'u7' } },
  ]);
});

test('a new error in the requests of all tenants names no tenant', async () => {
  expect(await findNewErrors(() => true)).toEqual([{ title: 'New error: No price list', part: null }]);
});
