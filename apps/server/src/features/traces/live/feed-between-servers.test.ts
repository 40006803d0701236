import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, routes, type TraceRow } from '@throughline/contract';
import {
  aTrace,
  feedEvents,
  postBody,
  spawnServer,
  startPostgres,
  type TestPostgres,
} from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { createToken } from '../../../platform/start/secrets.ts';
import { shareFeed } from './feed-between-servers.ts';

let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), 'throughline-feeds-'));
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

test.runIf(isThorough())(
  'viewers on one server see traces stored by another server, once each and only of their own projects',
  async () => {
    const DATABASE_URL = await postgres.createDatabase('feeds');
    const env = { DATABASE_URL, SECRET_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'error' };
    const servers = ['one', 'other'].map((name) => spawnServer({ dataDir: join(folder, name), env }));
    try {
      const [one = '', other = ''] = await Promise.all(servers.map((server) => server.ready()));
      const signUpAt = async (email: string) => {
        const anyone = createClient({ baseUrl: one, fetch, token: () => null });
        const body = { name: 'A', email, password: 'correct horse' };
        const { token } = await anyone.call(routes.auth.registerSolo, { body });
        const client = createClient({ baseUrl: one, fetch, token: () => token });
        const { project } = await client.call(routes.projects.create, { body: { name: 'shop' } });
        const { apiKey } = await client.call(routes.projects.apiKey, { params: { id: project.id } });
        return { token, apiKey };
      };
      const person = await signUpAt('a@test.example');
      const stranger = await signUpAt('b@test.example');
      const stop = new AbortController();
      const watching = createClient({ baseUrl: other, fetch, token: () => person.token });
      const events = feedEvents(
        await watching.open(routes.traces.stream, { query: {}, signal: stop.signal }),
      );
      const next = async () => {
        const { value } = await events.next();
        return { event: value?.event, data: JSON.parse(value?.data ?? 'null') };
      };
      const send = async (url: string, apiKey: string, path: string) => {
        const body = JSON.stringify({ traces: [aTrace({ request: { method: 'GET', path } })] });
        expect((await postBody({ url }, apiKey, body)).status).toBe(200);
      };
      await send(one, stranger.apiKey, '/not-yours');
      await send(one, person.apiKey, '/far');
      expect(await next()).toMatchObject({
        event: 'trace',
        data: { request: { path: '/far' } },
      });
      await send(other, person.apiKey, '/near');
      expect(await next()).toMatchObject({
        event: 'trace',
        data: { request: { path: '/near' } },
      });
      // The row is larger than a notification can be, so only its existence is announced.
      await send(one, person.apiKey, `/${'x'.repeat(8000)}`);
      expect(await next()).toEqual({ event: 'gap', data: { missed: 1 } });
      await send(one, person.apiKey, '/last');
      expect(await next()).toMatchObject({
        event: 'trace',
        data: { request: { path: '/last' } },
      });
      stop.abort();
    } finally {
      for (const server of servers) await server.kill('SIGTERM');
    }
  },
  180_000,
);

const row = (index: number): TraceRow => ({
  _id: `01973000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  traceId: 'a'.repeat(32),
  projectId: '01973000-0000-7000-8000-000000000001',
  request: { method: 'GET', path: `/${'ü'.repeat(index % 300)}`, route: null },
  response: { statusCode: 200 },
  timing: { startTime: '2026-01-01T00:00:00.000000Z', duration: 1 },
  error: { hasError: false, errorMessage: null, errorCode: null },
  service: 's',
  environment: '',
  release: '',
  userId: null,
  sessionId: null,
  country: null,
  instance: '',
  stepCount: 0,
});

test('a slow or failing control store causes reported gaps instead of a growing queue; every row is sent once or counted', async () => {
  let heard: ((payload: string) => void) | undefined;
  let release: (() => void) | undefined;
  const payloads: string[] = [];
  let asked = 0;
  const log = createLog('silent');
  const nobody = { publish: () => {}, missed: () => {} };
  const teller = await shareFeed({
    log,
    feed: nobody,
    control: {
      listen: async () => {},
      async notify(_channel, payload) {
        asked += 1;
        if (asked === 2) throw new Error('the connection was lost');
        payloads.push(payload);
        if (payloads.length === 1) await new Promise<void>((resolve) => (release = resolve));
      },
    },
  });
  const shown: TraceRow[] = [];
  let missed = 0;
  let reconnect: (() => void) | undefined;
  await shareFeed({
    log,
    feed: {
      publish: (rows) => void shown.push(...rows),
      missed: (_project, count) => {
        missed += count;
      },
    },
    control: {
      notify: async () => {},
      listen: async (_channel, onNotice, onListening) => {
        heard = onNotice;
        reconnect = onListening;
        onListening?.();
      },
    },
  });
  teller.announce([row(0)]);
  teller.announce(Array.from({ length: 20_000 }, (_row, index) => row(index + 1)));
  release?.();
  await teller.settled();
  expect(payloads).toHaveLength(1);
  teller.announce([]);
  await teller.settled();
  for (const payload of payloads) {
    expect(Buffer.byteLength(payload)).toBeLessThan(8000);
    heard?.(payload);
  }
  // Up to 8 MB of rows can wait. Rows of the failed notification are only counted.
  expect(shown.length).toBeGreaterThan(10_000);
  expect(shown.length).toBeLessThan(15_000);
  expect(new Set(shown.map(({ _id }) => _id)).size).toBe(shown.length);
  expect(shown.length + missed).toBe(20_001);
  for (const nonsense of [
    '',
    '{',
    '{"from":"x"}',
    JSON.stringify({ from: createToken(), rows: [1], missed: {} }),
  ]) {
    heard?.(nonsense);
  }
  const before = { shown: shown.length, missed };
  reconnect?.();
  expect({ shown: shown.length, missed }).toEqual({ ...before, missed: before.missed + 1 });
});
