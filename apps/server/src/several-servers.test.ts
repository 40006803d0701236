import { randomBytes } from 'node:crypto';
import { isThorough, repetitions } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBatch, type Sent } from './fixtures/batches.ts';
import { type Fleet, startFleet } from './fixtures/fleet.ts';
import { readConfig } from './platform/config.ts';
import { openStores } from './platform/stores.ts';
import { readMigrations } from './platform/trace-store/migrate.ts';

const ROUNDS = repetitions({ usually: 1, thoroughly: 150 });
const KILLS = repetitions({ usually: 0, thoroughly: 40 });
const LONG_MS = repetitions({ usually: 120_000, thoroughly: 900_000 });

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet.stop());

async function askClickHouse(statement: string, database = 'default'): Promise<string> {
  const answer = await fetch(`${fleet.clickhouse.url}/?database=${database}`, {
    method: 'POST',
    body: statement,
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

test.runIf(isThorough())(
  'servers that start together on empty stores apply each migration once',
  async () => {
    const ask = (statement: string) => askClickHouse(statement, 'together');
    await askClickHouse('CREATE DATABASE together');
    // Creates the table with merges turned off, because a merge would hide that a migration ran twice.
    await ask(`CREATE TABLE IF NOT EXISTS trace_migrations (version UInt32, name String, applied_at DateTime64(3, 'UTC'))
    ENGINE = ReplacingMergeTree ORDER BY version`);
    await ask('SYSTEM STOP MERGES trace_migrations');
    const config = readConfig(
      { production: false, demo: false },
      {
        DATABASE_URL: await fleet.postgres.createDatabase('together'),
        CLICKHOUSE_URL: fleet.clickhouse.url,
        CLICKHOUSE_DATABASE: 'together',
        SECRET_KEY: randomBytes(32).toString('base64'),
      },
    );
    const opened = await Promise.all(Array.from({ length: 3 }, () => openStores(config)));
    for (const stores of opened) await stores.close();
    const applied = await ask(
      'SELECT version, count() FROM trace_migrations GROUP BY version ORDER BY version',
    );
    const migrations = await readMigrations();
    expect(applied).toBe(migrations.map(({ version }) => `${version},1\n`).join(''));
  },
);

test(
  'a trace sent to two servers at the same moment is stored once, counted once and shown once',
  async () => {
    const { stored } = fleet;
    const urls = fleet.urls();
    const watchers = await Promise.all(urls.map(fleet.watch));
    for (let round = 0; round < ROUNDS; round += 1) {
      const batches = Array.from({ length: 4 }, newBatch);
      const answers = await Promise.all(
        batches.flatMap((batch) => [...urls, ...urls].map((url) => fleet.send(url, batch))),
      );
      expect(new Set(answers)).toEqual(new Set([200]));
      stored.push(...batches.flatMap(({ paths }) => paths));
    }
    await fleet.checkAll();
    for (const url of urls) expect(await fleet.counted(url)).toBe(stored.length);
    for (const { shown, stop } of watchers) {
      await expect.poll(() => shown.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(stored.length);
      expect(shown.toSorted()).toEqual(stored.toSorted());
      await stop();
    }
  },
  LONG_MS,
);

describe('a server waits for a running insert of another server, and then finds the inserted traces, if the other server', () => {
  const runs = "SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO traces %'";
  const isRunning = async () => (await askClickHouse(runs)).trim() === '1';

  test.runIf(isThorough()).each([
    ['is killed', () => fleet.server(1).process.kill('SIGKILL')],
    ['loses its locks', () => fleet.cutLocks()],
  ])('%s', async (_what, interrupt) => {
    // Slows down the insert of each of the five traces. ClickHouse allows a sleep of at most three seconds.
    await askClickHouse('ALTER TABLE traces ADD CONSTRAINT slow CHECK sleepEachRow(0.5) = 0');
    const batch = newBatch();
    const sending = fleet.send(fleet.server(1).url, batch);
    await expect.poll(isRunning, { timeout: 30_000, interval: 20 }).toBe(true);
    await interrupt();
    expect(await isRunning()).toBe(true);
    expect(await fleet.send(fleet.server(0).url, batch)).toBe(200);
    expect(await isRunning()).toBe(false);
    fleet.stored.push(...batch.paths);
    await askClickHouse('ALTER TABLE traces DROP CONSTRAINT slow');
    if ((await sending) === 0) await fleet.restart(1);
    await fleet.checkAll();
  });
});

test.skipIf(KILLS === 0)(
  'no trace is lost or duplicated if one server is killed during an insert and the other server continues',
  async () => {
    // Slows down inserts, so that many kills happen during an insert.
    await askClickHouse('ALTER TABLE traces ADD CONSTRAINT slow CHECK sleepEachRow(0.02) = 0');
    for (let kill = 0; kill < KILLS; kill += 1) {
      const open: Sent[] = [];
      const outcome = { over: false };
      const senders = Array.from({ length: 4 }, async () => {
        while (!outcome.over) {
          const batch = newBatch();
          const answers = await Promise.all(fleet.urls().map((url) => fleet.send(url, batch)));
          if (answers.includes(200)) fleet.stored.push(...batch.paths);
          else open.push(batch);
        }
      });
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 300));
      const place = kill % 2;
      await fleet.server(place).process.kill('SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 300));
      outcome.over = true;
      await Promise.all(senders);
      await fleet.restart(place);
      for (const batch of open) await fleet.sendUntilStored(batch);
      await fleet.checkAll();
    }
    await fleet.awaitExactMonth(1);
  },
  LONG_MS,
);
