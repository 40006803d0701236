import { createClient, routes } from '@throughline/contract';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { startServerProcess } from '../lib/server-process.ts';
import { readBugs } from './bug.ts';
import { sendSuccesses } from './buggy-service.ts';

const STORED_WITHIN_MS = 60_000;
/** Services whose planted bug also makes the result of a successful request wrong. A statement about that result is no false alarm. */
const WRONG_NEVERTHELESS = ['clinic-queue'];
/** Rules that compare values with other requests. The other rules describe times and retries. */
const VALUE_RULES = ['differing_value', 'wrong_result', 'not_a_number'];

test.runIf(isThorough()).each([
  ['bugs', 150],
  ['held-out', 60],
  ['fresh', 80],
  ['spent', 220],
  ['unseen', 70],
] as const)(
  'no successful request of the services in %s has a statement about a value, and each such request opens on its handler',
  async (set, minRequests) => {
    const server = await startServerProcess();
    const alarms: string[] = [];
    let requests = 0;
    try {
      const client = createClient({ baseUrl: server.url, fetch, token: () => server.token });
      for (const bug of readBugs(set).filter(({ name }) => !WRONG_NEVERTHELESS.includes(name))) {
        const { project } = await client.call(routes.projects.create, { body: { name: bug.name } });
        const { apiKey } = await client.call(routes.projects.apiKey, { params: { id: project.id } });
        const sent = await sendSuccesses(bug, { url: server.url, apiKey });
        const list = async () =>
          (await client.call(routes.traces.list, { query: { projectId: project.id, limit: 100 } })).traces;
        await expect
          .poll(async () => (await list()).length, { timeout: STORED_WITHIN_MS })
          .toBeGreaterThanOrEqual(sent);
        for (const trace of await list()) {
          if ((trace.response.statusCode ?? 0) >= 400) continue;
          requests += 1;
          const { statements, opening } = await client.call(routes.traces.standsOut, {
            params: { id: trace._id },
          });
          const said = statements.filter(({ rule }) => VALUE_RULES.includes(rule));
          if (said.length > 0 || opening !== null)
            alarms.push(
              `${bug.name} ${trace.request.path}: ${opening} ${said.map(({ text }) => text).join('; ')}`,
            );
        }
      }
    } finally {
      await server.removeFolder();
    }
    expect(requests).toBeGreaterThan(minRequests);
    expect(alarms).toEqual([]);
  },
  1_200_000,
);
