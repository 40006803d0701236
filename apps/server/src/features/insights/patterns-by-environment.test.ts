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

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer({ clock: createFakeClock(new Date(NOW_MS)) });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(() => server.stop());

interface Sent {
  readonly environment: string;
  readonly requests: number;
  /** Number of queries that each request makes. */
  readonly queries: number;
  readonly minutesAgo: number;
}

async function findRepeated(...all: readonly Sent[]) {
  const project = await makeProject(owner);
  for (const { environment, requests, queries, minutesAgo } of all) {
    const traces = Array.from({ length: requests }, (_, at) => {
      const startMs = NOW_MS - minutesAgo * 60_000 + at;
      return {
        request: { method: 'GET', path: '/orders', route: '/orders' },
        response: { statusCode: 200 },
        timing: { startTime: new Date(startMs).toISOString(), duration: 100 },
        flow: Array.from({ length: queries }, (_, query) => ({
          stepId: String(query),
          parentStepId: null,
          stepName: 'SELECT items',
          stepType: 'database' as const,
          startTime: new Date(startMs + query).toISOString(),
          duration: 1,
        })),
      };
    });
    await sendTraces(server, project.apiKey, traces, { name: 'shop', environment });
  }
  const { insights } = await owner.client.call(routes.analytics.insights, { params: { id: project.id } });
  return insights.findings.filter(({ kind }) => kind === 'repeatedQuery');
}

test('a query that is repeated in production is found although staging has many newer requests that do not repeat it', async () => {
  const findings = await findRepeated(
    { environment: 'production', requests: 10, queries: 12, minutesAgo: 90 },
    { environment: 'staging', requests: 60, queries: 2, minutesAgo: 5 },
  );
  expect(findings).toMatchObject([{ requestCount: 10, evidence: { medianCalls: 12, share: 100 } }]);
});

test('a query that is repeated in several environments is one insight, with the requests of all these environments', async () => {
  const findings = await findRepeated(
    { environment: 'production', requests: 10, queries: 12, minutesAgo: 90 },
    { environment: 'staging', requests: 8, queries: 9, minutesAgo: 5 },
  );
  expect(findings).toMatchObject([{ requestCount: 18, evidence: { medianCalls: 12 } }]);
});
