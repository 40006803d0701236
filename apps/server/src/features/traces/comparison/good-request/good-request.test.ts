import { routes } from '@throughline/contract';
import { aTrace, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const file = serverOfFile();
const NOW = Date.now();

interface Sent {
  readonly release: string;
  readonly minutesAgo: number;
  /** The request's input; requests with equal inputs are the most similar. */
  readonly total?: number;
  readonly failed?: boolean;
}

/** Sends requests, and returns why a good request was chosen for the failed request, and how many minutes ago the good request started. */
async function choose(sent: readonly Sent[], compareWith = 'good') {
  // Uses a paid plan, because a trial does not accept traces older than an hour.
  const { owner: person } = await makeOrganization(file.server, 'enterprise_plus');
  const project = await makeProject(person);
  for (const { release, minutesAgo, total = 1, failed = false } of sent) {
    const trace = aTrace({
      request: { method: 'POST', path: '/orders', route: '/orders', body: { total } },
      response: { statusCode: failed ? 500 : 200 },
      timing: { startTime: new Date(NOW - minutesAgo * 60_000).toISOString(), duration: 5 },
    });
    const service = { name: 'shop', ...(release !== '' && { release }) };
    await sendTraces(file.server, project.apiKey, [trace], service);
  }
  const { traces } = await person.client.call(routes.traces.list, { query: { status: 'error', limit: 1 } });
  const { comparison } = await person.client.call(routes.traces.compare, {
    params: { id: traces[0]?._id ?? '' },
    query: { with: compareWith },
  });
  const startMs = Date.parse(comparison?.other.timing.startTime ?? '');
  return { reason: comparison?.reason, minutesAgo: Math.round((NOW - startMs) / 60_000) };
}

const FAILED = { release: 'v3', minutesAgo: 1, failed: true } as const;

test('a request of the same release is chosen before a more similar request of another release', async () => {
  const chosen = await choose([
    FAILED,
    { release: 'v1', minutesAgo: 300 },
    { release: 'v2', minutesAgo: 200, total: 2 },
    { release: 'v3', minutesAgo: 100, total: 3 },
    // A service of an old release is still running.
    { release: 'v1', minutesAgo: 2 },
  ]);
  expect(chosen.minutesAgo).toBe(100);
  expect(chosen.reason).toContain('this endpoint, same release, 99 minutes earlier');
});

test('a request of the previous release is chosen before one of an older release, and the reason names the release', async () => {
  const chosen = await choose([
    FAILED,
    { release: 'v1', minutesAgo: 300 },
    { release: 'v2', minutesAgo: 200, total: 2 },
    { release: 'v1', minutesAgo: 2 },
  ]);
  expect(chosen.minutesAgo).toBe(200);
  expect(chosen.reason).toContain('release v2, the one before');
});

test('between a request of the same release and one of the previous release, the more similar request is chosen', async () => {
  const chosen = await choose([
    FAILED,
    { release: 'v2', minutesAgo: 20 },
    { release: 'v3', minutesAgo: 10, total: 3 },
  ]);
  expect(chosen.reason).toContain('release v2, the one before');
});

test('if there is no request of the same or the previous release, one of another release is chosen, and the reason says so', async () => {
  const chosen = await choose([FAILED, { release: '', minutesAgo: 5 }]);
  expect(chosen.reason).toContain(
    'without a release, since none of this release or the one before was suitable',
  );
  const later = await choose([
    { ...FAILED, minutesAgo: 50 },
    { release: 'v4', minutesAgo: 5 },
  ]);
  expect(later.reason).toContain('release v4, since none of this release or the one before was suitable');
});

test('without a known release, the most similar request is chosen, whatever its release', async () => {
  const chosen = await choose([
    { ...FAILED, release: '' },
    { release: '', minutesAgo: 10, total: 3 },
    { release: 'v1', minutesAgo: 10 },
  ]);
  expect(chosen.reason).toContain('release v1, 9 minutes earlier');
});
