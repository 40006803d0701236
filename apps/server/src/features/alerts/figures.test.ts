import { storesOfFile } from '@throughline/testkit/stores';
import { expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { measure } from './figures-store.ts';

const stores = storesOfFile();

const START_MS = Date.UTC(2026, 10, 29);
const ANY = { environment: null, service: null, endpoint: null, filter: null } as const;

/** Stores requests with the given durations in milliseconds, and measures them as an alert rule does. */
async function measureRequests(durations: readonly number[]) {
  const id = createId<ProjectId>();
  const lines = durations.map((ms) =>
    [
      id,
      (START_MS / 1000).toFixed(6),
      createId(),
      START_MS,
      'GET',
      '/one',
      '/one',
      200,
      Math.round(ms * 1000),
    ].join('\t'),
  );
  const columns = [
    'project_id',
    'start_time',
    'id',
    'id_time_ms',
    'method',
    'path',
    'route',
    'status_code',
    'duration_micros',
  ] as const;
  if (lines.length > 0) await stores.traces.insert('traces', columns, Buffer.from(`${lines.join('\n')}\n`));
  const from = BigInt(START_MS) * 1000n;
  return measure(stores.traces, { id, shownSince: 0n }, ANY, { from, until: from + 1n });
}

test.each([
  ['nine requests of 10 ms and one of 5 s', [...Array<number>(9).fill(10), 5000], 5000],
  ['19 requests of 10 ms and one of 5 s', [...Array<number>(19).fill(10), 5000], 10],
  [
    '950 requests of 10 ms and 50 of 5 s',
    [...Array<number>(950).fill(10), ...Array<number>(50).fill(5000)],
    10,
  ],
  [
    '949 requests of 10 ms and 51 of 5 s',
    [...Array<number>(949).fill(10), ...Array<number>(51).fill(5000)],
    5000,
  ],
  ['one request of 250 ms', [250], 250],
  ['3,000 requests of 1 s to 3,000 s', Array.from({ length: 3000 }, (_, at) => (at + 1) * 1000), 2_850_000],
  ['21 requests of 1 to 21 s', Array.from({ length: 21 }, (_, at) => (at + 1) * 1000), 20_000],
])('the P95 of %s is the value at the nearest rank', async (_requests, durations, p95) => {
  const figures = await measureRequests(durations);
  expect(figures.requests).toBe(durations.length);
  expect(Math.abs(figures.p95 - p95)).toBeLessThanOrEqual(p95 * 0.01);
});

test.each([40, 99, 100, 101, 210])(
  'the P95 of %i requests, each 10 % longer than the one before, is the value at the nearest rank',
  async (count) => {
    const durations = Array.from({ length: count }, (_, at) => Math.round(100 * 1.1 ** at) / 1000);
    const exact = durations[Math.ceil(0.95 * count) - 1] ?? 0;
    expect(Math.abs((await measureRequests(durations)).p95 - exact)).toBeLessThanOrEqual(exact * 0.01);
  },
);

test('the P95 is 0 if there are no requests', async () => {
  expect(await measureRequests([])).toEqual({ requests: 0, errors: 0, p95: 0 });
});

test.each([
  ['instance:w1', 2, 1],
  ['-instance:w1', 1, 0],
  ['status:5xx -release:2', 1, 1],
  ['duration:>=20ms text:/two', 1, 0],
  ['step:charge', 0, 0],
])('with the filter %s, only the requests that match are measured', async (filter, requests, errors) => {
  const id = createId<ProjectId>();
  const rows = [
    ['/one', 'w1', '1', 500, 1, 10],
    ['/two', 'w1', '2', 200, 0, 10],
    ['/two', 'w2', '1', 200, 0, 30],
  ].map(([path, instance, release, status, failed, ms]) =>
    [
      id,
      (START_MS / 1000).toFixed(6),
      createId(),
      START_MS,
      path,
      instance,
      release,
      status,
      failed,
      Number(ms) * 1000,
    ].join('\t'),
  );
  const columns = [
    ...(['project_id', 'start_time', 'id', 'id_time_ms', 'path', 'instance', 'release'] as const),
    ...(['status_code', 'is_error', 'duration_micros'] as const),
  ];
  await stores.traces.insert('traces', columns, Buffer.from(`${rows.join('\n')}\n`));
  const from = BigInt(START_MS) * 1000n;
  const range = { from, until: from + 1n };
  expect(await measure(stores.traces, { id, shownSince: 0n }, { ...ANY, filter }, range)).toMatchObject({
    requests,
    errors,
  });
});
