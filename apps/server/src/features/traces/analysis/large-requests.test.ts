import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { routes } from '@throughline/contract';
import { aTrace, sendTraces } from '@throughline/testkit';
import { newcomer, serverOfFile } from '@throughline/testkit/scene';
import { afterEach, expect, test, vi } from 'vitest';
import { ReadingPlaces } from '../detail/reading-places.ts';

const file = serverOfFile();
afterEach(() => void vi.restoreAllMocks());

interface Size {
  readonly calls: number;
  /** Number of additional members of each call's input. */
  readonly keys?: number;
}

/** Builds a request that reads the stock of `calls` items. The stock of the last item is `last`. */
function readStock({ calls, keys = 0 }: Size, last: number | null, startMs: number) {
  const startTime = new Date(startMs).toISOString();
  const failed = last === null;
  const more = Object.fromEntries(Array.from({ length: keys }, (_key, at) => [`k${at}`, at % 10]));
  const flow = Array.from({ length: calls }, (_call, index) => ({
    stepId: `s${index}`,
    stepName: 'readStock',
    functionName: 'readStock',
    startTime,
    duration: 1,
    inputs: { item: index, ...more },
    outputs: { stock: index === calls - 1 ? last : 7 },
  }));
  return aTrace({
    request: { method: 'GET', path: '/stock', route: '/stock' },
    response: { statusCode: failed ? 500 : 200 },
    timing: { startTime, duration: 20 },
    ...(failed && { error: { hasError: true, errorMessage: 'no stock' } }),
    flow,
  });
}

/**
 * Calls three routes for a failed request: what is unusual in it, its comparison with a successful request, and the origin of a value. Also
 * returns the modules that ran in worker threads, and the owners whose limit on concurrent readings was used.
 */
async function openFailed(size: Size) {
  const { person, project } = await newcomer(file.server);
  const nowMs = Date.now();
  const sent = [readStock(size, 7, nowMs - 60_000), readStock(size, null, nowMs)];
  await sendTraces(file.server, project.apiKey, sent);
  const { traces } = await person.client.call(routes.traces.list, { query: { projectId: project.id } });
  const params = { id: traces[0]?._id ?? '' };
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  const entered = vi.spyOn(ReadingPlaces.prototype, 'enter');
  const { statements } = await person.client.call(routes.traces.standsOut, { params });
  const { comparison } = await person.client.call(routes.traces.compare, { params, query: {} });
  const value = { stepId: `s${size.calls - 1}`, place: 'outputs', path: '["stock"]' } as const;
  const { origin } = await person.client.call(routes.traces.valueOrigin, { params, query: value });
  return {
    followed: origin.asked.name,
    standsOut: statements.map(({ text }) => text),
    compared: comparison?.statements.map(({ text }) => text),
    projectId: project.id,
    owners: entered.mock.calls.map(([owner]) => owner),
    inThreads: posted.mock.calls.map(([{ module }]) => basename(module, '.ts')),
  };
}

test.each<[string, Size]>([
  ['many calls', { calls: 2200 }],
  ['objects with many members', { calls: 2, keys: 5000 }],
])(
  'what stands out in a request with %s, its comparison, and the origin of a value, are computed in a worker thread',
  async (_what, size) => {
    const { standsOut, compared, followed, inThreads } = await openFailed(size);
    expect(inThreads).toEqual(['analyze-request', 'compare-texts', 'follow-in-texts']);
    expect(followed).toBe('readStock');
    expect(standsOut.join()).toContain('stock');
    expect(compared?.join()).toContain('stock');
  },
);

test('small requests are analyzed on the event loop, without a worker thread', async () => {
  const { inThreads, standsOut, compared, followed } = await openFailed({ calls: 12 });
  expect(inThreads).toEqual([]);
  expect(followed).toBe('readStock');
  expect(standsOut.join()).toContain('stock');
  expect(compared?.join()).toContain('stock');
});

test('the members of one project share the limits on concurrent analyses', async () => {
  const { owners, projectId } = await openFailed({ calls: 12 });
  // The third owner is the user, because limits on the search for the origin of a value are per user.
  expect(owners.slice(0, 2)).toEqual([projectId, projectId]);
});
