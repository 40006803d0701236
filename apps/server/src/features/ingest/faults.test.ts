import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, routes } from '@throughline/contract';
import {
  aTrace,
  createFakeClock,
  makeProject,
  postBody,
  signUp,
  spawnServer,
  startServer,
} from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveClickHouse } from '../../platform/trace-store/fixtures/served-clickhouse.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-faults-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let made = 0;
/** A UUIDv7 that nobody else has, of about now. */
function newTraceId(nowMs = Date.now()): string {
  made += 1;
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15, 18)}-8000-${made.toString(16).padStart(12, '0')}`;
}

const bodyOf = (ids: readonly string[], filler = 0, startTime = new Date().toISOString()) =>
  JSON.stringify({
    traces: ids.map((_id) =>
      aTrace({
        _id,
        timing: { startTime, duration: 1 },
        flow: [
          {
            stepId: '1',
            stepName: 'a',
            startTime,
            duration: 1,
            inputs: { filler: randomBytes(filler).toString('base64') },
          },
        ],
      }),
    ),
  });

async function storedIds(client: Client, projectId: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { projectId, limit: 500, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.traces.list, { query });
    ids.push(...page.traces.map(({ _id }) => _id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

describe.skipIf(process.getuid?.() !== 0)('a disk of its own', () => {
  let disk: string;
  beforeEach(async () => {
    disk = join(folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]);
    await putStores(disk);
  });
  afterEach(() => {
    execFileSync('umount', ['-l', disk]);
  });

  async function begin() {
    const server = spawnServer({ dataDir: disk, env: { LOG_LEVEL: 'silent' } });
    const url = await server.ready();
    const anyone = createClient({ baseUrl: url, fetch, token: () => null });
    const body = { name: 'Ada', email: 'ada@test.example', password: 'correct horse' };
    const { token } = await anyone.call(routes.auth.registerSolo, { body });
    const client = createClient({ baseUrl: url, fetch, token: () => token });
    const { project } = await client.call(routes.projects.create, { body: { name: 'shop' } });
    const { apiKey } = await client.call(routes.projects.apiKey, { params: { id: project.id } });
    return { server, url, token, projectId: project.id, apiKey };
  }

  /** Sends until so many were acknowledged, or refused; what was acknowledged. */
  async function sendUntil(
    place: { readonly url: string; readonly apiKey: string },
    outcome: 'taken' | 'refused',
  ): Promise<string[]> {
    const taken: string[] = [];
    for (let tries = 0; tries < 200; tries += 1) {
      const ids = [newTraceId(), newTraceId(), newTraceId()];
      const reply = await postBody(place, place.apiKey, bodyOf(ids, 100_000));
      if (reply.status === 200) {
        taken.push(...ids);
        if (outcome === 'taken') return taken;
      } else {
        expect(reply.status).toBe(503);
        expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
        if (outcome === 'refused') return taken;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    throw new Error(`nothing was ${outcome}`);
  }

  /** After whatever happened, a new start has exactly what was acknowledged, and takes more. */
  async function checkAfter(
    place: Awaited<ReturnType<typeof begin>>,
    acknowledged: readonly string[],
  ): Promise<void> {
    await place.server.kill('SIGKILL');
    const again = spawnServer({ dataDir: disk, env: { LOG_LEVEL: 'error' } });
    const url = await again.ready();
    const client = createClient({ baseUrl: url, fetch, token: () => place.token });
    const stored = await storedIds(client, place.projectId);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
    const more = await sendUntil({ url, apiKey: place.apiKey }, 'taken');
    expect(await storedIds(client, place.projectId)).toEqual(expect.arrayContaining(more));
    await again.kill('SIGTERM');
  }

  test('that is full refuses with 503, keeps what was acknowledged, and takes more when there is room', async () => {
    const place = await begin();
    const acknowledged = await sendUntil(place, 'taken');
    const filler = join(disk, 'somebody-elses-file');
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - 4_000_000)));
    acknowledged.push(...(await sendUntil(place, 'refused')));
    await truncate(filler, 0);
    await checkAfter(place, acknowledged);
  }, 240_000);

  test('that is read-only lets nothing start, says so in one line, and has lost nothing when it can be written again', async () => {
    const place = await begin();
    const acknowledged = await sendUntil(place, 'taken');
    await place.server.kill('SIGKILL');
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const refused = spawnServer({ dataDir: disk });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toMatch(/^.* cannot be written to \(.*set DATA_DIR.*\n$/);
    execFileSync('mount', ['-o', 'remount,rw', disk]);
    await checkAfter(place, acknowledged);
  }, 240_000);
});

test('a clock that is set back an hour, and forward again, loses nothing, doubles nothing and ends no session', async () => {
  const clock = createFakeClock();
  const server = await startServer({ clock });
  try {
    const person = await signUp(server);
    const project = await makeProject(person);
    // Not into the month before the registration.
    clock.advance(2 * 3_600_000);
    const sent: string[] = [];
    for (const hours of [0, -1, 1]) {
      clock.advance(hours * 3_600_000);
      const ids = [newTraceId(clock.now().getTime()), newTraceId(clock.now().getTime())];
      sent.push(...ids);
      for (const _time of [1, 2]) {
        const reply = await postBody(server, project.apiKey, bodyOf(ids, 0, clock.now().toISOString()));
        expect(reply.body).toEqual({ accepted: 2, rejected: [] });
      }
      const made = await makeTraceWithoutId(server, project.apiKey, clock.now());
      expect(made).toEqual({ accepted: 1, rejected: [] });
    }
    const stored = await storedIds(person.client, project.id);
    expect(stored).toHaveLength(sent.length + 3);
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored).toEqual(expect.arrayContaining(sent));
    const { usage } = await person.client.call(routes.usage.read, {});
    expect(usage.traces.used).toBe(stored.length);
  } finally {
    await server.stop();
  }
}, 120_000);

async function makeTraceWithoutId(server: { readonly url: string }, apiKey: string, now: Date) {
  const trace = aTrace({ timing: { startTime: now.toISOString(), duration: 1 } });
  const headers = { 'idempotency-key': randomUUID() };
  const body = JSON.stringify({ traces: [trace] });
  const first = await postBody(server, apiKey, body, headers);
  expect((await postBody(server, apiKey, body, headers)).body).toEqual(first.body);
  return first.body;
}

test('a ClickHouse that goes away makes senders wait, and every batch that was sent again is stored once', async () => {
  const clickhouse = await serveClickHouse(join(folder, 'clickhouse'));
  const server = await startServer({ env: { CLICKHOUSE_URL: clickhouse.url, LOG_LEVEL: 'silent' } });
  try {
    const person = await signUp(server);
    const project = await makeProject(person);
    const send = (ids: readonly string[]) => postBody(server, project.apiKey, bodyOf(ids));
    const batches = Array.from({ length: 6 }, () => [newTraceId(), newTraceId()]);
    const [first = [], ...others] = batches;
    expect((await send(first)).status).toBe(200);
    await clickhouse.goAway();
    const refused = await Promise.all(others.map(send));
    for (const reply of refused) {
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(503);
    await clickhouse.comeBack();
    for (const ids of others) expect((await send(ids)).body).toEqual({ accepted: 2, rejected: [] });
    expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200);
    expect((await storedIds(person.client, project.id)).sort()).toEqual(batches.flat().sort());
  } finally {
    await server.stop();
    await clickhouse.stop();
  }
}, 120_000);

test('whatever is sent twice, at once, in any order and in pieces: each trace is stored once, and counted once', async () => {
  const server = await startServer();
  try {
    const pool = fc.array(fc.array(fc.nat(7), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(pool, fc.boolean(), async (batches, atOnce) => {
        const person = await signUp(server);
        const project = await makeProject(person);
        const ids = Array.from({ length: 8 }, () => newTraceId());
        const startTime = new Date().toISOString();
        const send = async (places: readonly number[]) => {
          const body = bodyOf(
            places.map((place) => ids[place] ?? ''),
            0,
            startTime,
          );
          expect((await postBody(server, project.apiKey, body)).body).toEqual({
            accepted: places.length,
            rejected: [],
          });
        };
        if (atOnce) await Promise.all(batches.map(send));
        else for (const places of batches) await send(places);
        const sent = new Set(batches.flat().map((place) => ids[place]));
        expect((await storedIds(person.client, project.id)).sort()).toEqual([...sent].sort());
        const { usage } = await person.client.call(routes.usage.read, {});
        expect(usage.traces.used).toBe(sent.size);
      }),
      { numRuns: repetitions({ usually: 10, thoroughly: 200 }) },
    );
  } finally {
    await server.stop();
  }
}, 600_000);
