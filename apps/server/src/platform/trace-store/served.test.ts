import { startClickHouse, type TestClickHouse } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTraceStore, type TraceStore } from './open.ts';

let server: TestClickHouse;
let store: TraceStore;
beforeAll(async () => {
  server = await startClickHouse();
  store = await openTraceStore({
    clickhouse: {
      url: server.url,
      user: 'default',
      password: '',
      database: 'default',
      cluster: undefined,
    },
    dataDir: 'unused',
  });
});
afterAll(async () => {
  await store.close();
  await server.stop();
});

test('a ClickHouse server is migrated, written and read like the engine in process', async () => {
  const seconds = Math.floor(Date.now() / 1000);
  const project = '01973000-0000-7000-8000-000000000001';
  const answers = ['{"text":"tab\\\\t quote\' 😀"}', '{}'].map(
    (text, index) => `${project}\t01973000-0000-7000-8000-00000000000${index}\t${text}\t${seconds}.000000\n`,
  );
  await store.insert(
    'ingest_batches',
    ['project_id', 'key', 'answer', 'stored_at'],
    Buffer.from(answers.join('')),
  );
  const rows = await store.rows(
    z.object({ answer: z.string() }),
    'SELECT answer FROM ingest_batches WHERE project_id = {project:UUID} ORDER BY key',
    { project },
  );
  expect(rows.map(({ answer: text }) => text)).toEqual(['{"text":"tab\\t quote\' 😀"}', '{}']);
  const nasty = `'; DROP TABLE steps; -- \\ \t\n 😀 {x:String}`;
  const [row] = await store.rows(z.object({ same: z.string() }), 'SELECT {nasty:String} AS same', { nasty });
  expect(row?.same).toBe(nasty);
  await store.ping();
  await expect(store.insert('steps', ['project_id'], Buffer.from('not a uuid\n'))).rejects.toThrow(/uuid/i);
  await expect(store.rows(z.object({}), 'SELECT nothing FROM nowhere')).rejects.toThrow(/nowhere/);
});

test('an answer of any length is read in pieces of whole lines, and an error is no piece of it', async () => {
  let lines = 0;
  let bytes = 0;
  for await (const piece of store.stream('SELECT number, {text:String} FROM numbers(200000)', {
    text: 'x\ty',
  })) {
    expect(piece.at(-1)).toBe(10);
    lines += piece.toString().split('\n').length - 1;
    bytes += piece.length;
  }
  expect(lines).toBe(200_000);
  expect(bytes).toBeGreaterThan(1_000_000);
  const failing = store.stream("SELECT throwIf(number = 1000, 'half-way') FROM numbers(2000)");
  const readAll = async () => {
    for await (const piece of failing) lines += piece.length;
  };
  await expect(readAll()).rejects.toThrow(/half-way/);
});

test('inserts do not wait for reads that take long, however many those are', async () => {
  const done: string[] = [];
  // As many as a client has connections.
  const reads = Array.from({ length: 10 }, async () => {
    await store.lines('SELECT toString(sleep(1))');
    done.push('read');
  });
  const project = '01973000-0000-7000-8000-000000000002';
  await store.insert('rollup_marks', ['project_id', 'mark'], Buffer.from(`${project}\t${project}\n`));
  done.push('insert');
  await Promise.all(reads);
  expect(done[0]).toBe('insert');
});
