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

test.runIf(isThorough())(
  'senders get 503 with Retry-After while ClickHouse is down, and every batch that is sent again is stored once',
  async () => {
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
  },
  120_000,
);

const MB = 1024 * 1024;
/** One project can use two thirds of the memory for arriving bodies, and of the memory for large bodies that wait to be read. */
const ARRIVING_BYTES = (80 * MB * 2) / 3;
const WAITING_BYTES = (48 * MB * 2) / 3;
/** When this many bytes of large bodies' rows wait to be stored, no more bodies are read. */
const ROW_BYTES = 48 * MB;
const FULL_BYTES = ARRIVING_BYTES + WAITING_BYTES + ROW_BYTES;
const BATCH_BYTES = 7_000_000;

test.runIf(isThorough())(
  'while ClickHouse is slow, batches are refused, memory stays bounded, and every batch sent again is stored once',
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
      // Together, the senders send more bytes than one project can have in memory.
      const senders = Array.from({ length: 24 }, () => new Sender(BATCH_BYTES));
      const sending = senders.map((sender) => sender.send(place));
      // No sender receives a success before the first refusal, since accepted batches wait for the store.
      await expect.poll(() => senders.some(({ refusals }) => refusals > 0), { timeout: 60_000 }).toBe(true);
      expect(senders.filter(({ isDone }) => isDone)).toEqual([]);
      // The metrics route still responds, but the server is not ready.
      const seen = [await inFlight()];
      expect(seen[0]).toBeGreaterThan(ARRIVING_BYTES / 2);
      expect((await fetch(`${url}/api/health/ready`)).status).toBe(503);
      const isWaiting = () => senders.some(({ isDone }) => !isDone);
      // From here on, ClickHouse is frozen and thawed repeatedly.
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
          // Polling without a pause would take CPU time that the server needs.
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
