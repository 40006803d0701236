import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundResults, isResultTooLarge } from './bounded-results.ts';
import { openUnmigrated } from './open.ts';
import type { TraceStore } from './trace-store.ts';

const MAX_BYTES = 4 * 1024 * 1024;
let dataDir: string;
let store: TraceStore;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-bounded-'));
  store = await openUnmigrated({ clickhouse: undefined, dataDir });
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

const bounded = () => boundResults(store, MAX_BYTES);

test('a result just within the size limit is read completely', async () => {
  const sql = "SELECT concat(toString(number), repeat('x', 4500)) FROM numbers(900) ORDER BY number DESC";
  expect(await bounded().lines(sql)).toHaveLength(900);
  const one = "SELECT repeat(repeat('x', 4100), 1000) FROM numbers(1)";
  expect((await bounded().lines(one))[0]).toHaveLength(4_100_000);
});

test('a result slightly above the size limit fails with a recognizable error', async () => {
  const sql = "SELECT concat(toString(number), repeat('x', 5000)) FROM numbers(1000) ORDER BY number DESC";
  const failed = await bounded()
    .lines(sql)
    .catch((error: unknown) => error);
  expect(isResultTooLarge(failed)).toBe(true);
});

test('a query that would sort 200 MB is stopped by its memory limit before it has read everything', async () => {
  const sql = `SELECT text FROM (SELECT concat(toString(number), repeat('x', 100000)) AS text FROM numbers(2000))
    ORDER BY text SETTINGS max_block_size = 16`;
  const failed = await bounded()
    .lines(sql)
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ message: expect.stringContaining('memory limit exceeded') });
  expect(isResultTooLarge(failed)).toBe(true);
});
