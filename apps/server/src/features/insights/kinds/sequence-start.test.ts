import { routes } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  sendTraces,
  startServer,
} from '@throughline/testkit';
import { expect, test } from 'vitest';

const NOW_MS = Date.parse('2026-11-21T17:30:00Z');
const HOUR_MS = 3_600_000;
const START_MS = NOW_MS - 60 * HOUR_MS;

/**
 * Builds one request per hour for six days. Each request makes two reads: in parallel before `START_MS`, one after the other from then on.
 * All start times are whole milliseconds.
 */
function listTraces() {
  return Array.from({ length: 6 * 24 }, (_, at) => {
    const startMs = NOW_MS - at * HOUR_MS - 60_000;
    const read = (stepId: string, stepName: string, fromMs: number) => ({
      stepId,
      stepName,
      stepType: 'database' as const,
      startTime: new Date(startMs + fromMs).toISOString(),
      duration: 20.7,
      inputs: { values: [100_000 + at] },
      outputs: { rows: [{ total: 12 }] },
    });
    const inRow = startMs >= START_MS;
    return {
      request: { method: 'GET', path: '/search', route: '/search' },
      timing: { startTime: new Date(startMs).toISOString(), duration: 60 },
      flow: [read('1', 'SELECT users', 0), read('2', 'SELECT carts', inRow ? 20 : 0)],
    };
  });
}

test('a finding about sequential reads starts when the code changed, not at the oldest examined request', async () => {
  const server = await startServer({ clock: createFakeClock(new Date(NOW_MS)) });
  try {
    const { owner } = await makeOrganization(server, 'enterprise_plus');
    const { id, apiKey } = await makeProject(owner);
    await sendTraces(server, apiKey, listTraces());
    const { insights } = await owner.client.call(routes.analytics.insights, { params: { id } });
    expect(insights.findings).toMatchObject([
      {
        kind: 'sequentialAwaits',
        since: new Date(START_MS + HOUR_MS - 60_000).toISOString().replace('Z', '000Z'),
        requestCount: 60,
      },
    ]);
    for (const { traces, requestCount } of insights.findings) {
      const list = await owner.client.call(routes.traces.list, {
        query: { ...traces, limit: '500' } as never,
      });
      expect(list.total).toBe(requestCount);
    }
  } finally {
    await server.stop();
  }
});
