import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouse } from '@throughline/testkit';
import { describe, expect, test } from 'vitest';
import { openTraceStore } from './open.ts';
import type { TraceStore } from './trace-store.ts';
import { runMutation } from './unfinished-mutations.ts';

const PROJECT = '01973000-0000-7000-8000-000000000001';
const UNFINISHED = 'Code: 341. DB::Exception: Exception happened during execution of mutation';
const count = async (store: TraceStore, sql: string) =>
  Number((await store.lines(`SELECT toString(count()) FROM ${sql}`))[0]);
const insert = (store: TraceStore, answer: string) =>
  store.insert(
    'ingest_batches',
    ['project_id', 'key', 'answer', 'stored_at'],
    Buffer.from(`${PROJECT}\t${PROJECT}\t${answer}\t${Math.floor(Date.now() / 1000)}.000000\n`),
  );

/** Deletes a row with a statement that fails for two seconds. The store repeats a failing statement for ten seconds. */
async function deleteAtLaterAttempt(store: TraceStore): Promise<void> {
  await insert(store, 'old');
  const untilMs = Date.now() + 2000;
  await store.commandBeside(
    `DELETE FROM ingest_batches WHERE throwIf(answer = 'old' AND now64(3) < fromUnixTimestamp64Milli(${untilMs})) = 0`,
  );
  expect(await count(store, "system.mutations WHERE table = 'ingest_batches'")).toBeGreaterThan(1);
  expect(await count(store, "ingest_batches WHERE answer = 'old'")).toBe(0);
}

test('the embedded engine repeats a deletion that it could not finish', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'throughline-mutations-'));
  const store = await openTraceStore({ clickhouse: undefined, dataDir });
  try {
    await deleteAtLaterAttempt(store);
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true });
  }
});

test('a deletion that a ClickHouse server could not finish is repeated', async () => {
  const server = await startClickHouse();
  const store = await openTraceStore({
    clickhouse: { url: server.url, user: 'default', password: '', database: 'default', cluster: undefined },
    dataDir: 'unused',
  });
  try {
    await deleteAtLaterAttempt(store);
  } finally {
    await store.close();
    await server.stop();
  }
});

describe('a statement', () => {
  test('that never finishes fails with the error of the last attempt', async () => {
    let attempts = 0;
    const failing = runMutation(async () => {
      attempts += 1;
      throw Object.assign(new Error(`${UNFINISHED} ${attempts}`), { clickhouseCode: 341 });
    }, 100);
    await expect(failing).rejects.toThrow(/mutation \d/);
    expect(attempts).toBeGreaterThan(1);
  });

  test.each([
    new Error('Code: 60. DB::Exception: Unknown table'),
    Object.assign(new Error('mutation'), { code: '60' }),
    Object.assign(new Error('Code: 60. DB::Exception: Code: 341.'), { clickhouseCode: 60 }),
  ])('that fails with another error is not repeated: %s', async (error) => {
    let attempts = 0;
    const failing = runMutation(async () => {
      attempts += 1;
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(attempts).toBe(1);
  });
});
