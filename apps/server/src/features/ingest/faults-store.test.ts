import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProject, postBody, signUp, startClickHouse, startServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import {
  begin,
  buildBody,
  expectStored,
  newTraceId,
  type Place,
  pause,
  Sender,
  storedIds,
} from './fixtures/sending.ts';

test('a ClickHouse that goes away makes senders wait, and every batch that was sent again is stored once', async () => {
  const clickhouse = await startClickHouse();
  const server = await startServer({ env: { CLICKHOUSE_URL: clickhouse.url, LOG_LEVEL: 'silent' } });
  try {
    const person = await signUp(server);
    const project = await makeProject(person);
    const send = (ids: readonly string[]) => postBody(server, project.apiKey, buildBody(ids));
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

const MB = 1024 * 1024;
/** One project may hold two thirds of the room for bodies that arrive, and of the room for large ones that wait to be read. */
const ARRIVING_BYTES = (80 * MB * 2) / 3;
const WAITING_BYTES = (48 * MB * 2) / 3;
/** Rows of large bodies that wait to be stored; no more bodies are read meanwhile. */
const ROW_BYTES = 48 * MB;
const FULL_BYTES = ARRIVING_BYTES + WAITING_BYTES + ROW_BYTES;
const BATCH_BYTES = 7_000_000;

test.runIf(isThorough())(
  'a ClickHouse that is slow makes senders wait, memory stays in bounds, and all is stored once',
  async () => {
    const clickhouse = await startClickHouse();
    const folder = await mkdtemp(join(tmpdir(), 'throughline-slow-'));
    let begun: Place | undefined;
    try {
      await putStores(folder);
      const place = await begin(folder, { CLICKHOUSE_URL: clickhouse.url });
      begun = place;
      const { url } = place;
      const inFlight = async () => {
        const text = await (await fetch(`${url}/metrics`)).text();
        return Number(/^throughline_ingest_bytes_in_flight (\d+)$/m.exec(text)?.[1]);
      };
      clickhouse.freeze();
      // More than one project may have in memory.
      const senders = Array.from({ length: 24 }, () => new Sender(BATCH_BYTES));
      const sending = senders.map((sender) => sender.send(place));
      // Until somebody is refused nobody was answered: what is taken in waits for the store.
      await expect.poll(() => senders.some(({ refusals }) => refusals > 0), { timeout: 60_000 }).toBe(true);
      expect(senders.filter(({ isDone }) => isDone)).toEqual([]);
      // Who asks how it goes is told, though not what is stored.
      const seen = [await inFlight()];
      expect(seen[0]).toBeGreaterThan(ARRIVING_BYTES / 2);
      expect((await fetch(`${url}/api/health/ready`)).status).toBe(503);
      const isWaiting = () => senders.some(({ isDone }) => !isDone);
      // From here on it does nothing for a while again and again.
      const slow = async () => {
        while (isWaiting()) {
          clickhouse.thaw();
          await pause(300);
          clickhouse.freeze();
          await pause(150);
        }
      };
      const look = async () => {
        while (isWaiting()) {
          seen.push(await inFlight());
          // Answering without a pause would take what the server needs to get on.
          await pause(20);
        }
      };
      await Promise.all([...sending, slow(), look()]);
      expect(Math.max(...seen)).toBeLessThan(FULL_BYTES + BATCH_BYTES);
      clickhouse.thaw();
      expect(await inFlight()).toBe(0);
      expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
      await expectStored(place, senders);
    } finally {
      clickhouse.thaw();
      await begun?.server.kill('SIGTERM');
      await clickhouse.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  240_000,
);
