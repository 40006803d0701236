import { type ClientRequest, request } from 'node:http';
import { startClickHouse, type TestClickHouse } from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTraceStore } from '../open.ts';
import type { TraceStore } from '../trace-store.ts';
import { awaitInsertsLeft, buildComment, buildCommentsSql } from './inserts-left.ts';

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

test('a ClickHouse server is migrated, written to and read like the embedded engine', async () => {
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

test('a result of any length arrives in chunks of complete lines, and an error is not part of a chunk', async () => {
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

test.runIf(isThorough())('inserts do not wait for ten slow reads', async () => {
  const done: string[] = [];
  // Occupies all ten connections of the client's reads.
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

describe('the server that takes a lock next', () => {
  const held = (...numbers: readonly number[]) => ({ numbers, check: async () => {} });
  const rows = () => store.lines('SELECT toString(a) FROM slow ORDER BY a');
  const running = async () => (await store.lines(buildCommentsSql(undefined))).length;
  /**
   * Waits until no statement is listed as running: the engine responds first, and only then removes the finished statement from its list.
   */
  const nothingRuns = () => expect.poll(running).toBe(0);
  /** Starts an insert under a lock, and sends `lines`: all of the insert's rows, or only the first of them. */
  const send = (lock: number, lines: string): ClientRequest => {
    const query = {
      query: 'INSERT INTO slow (a) FORMAT TabSeparated',
      log_comment: buildComment('default', [lock]),
    };
    const sent = request(`${server.url}/?${new URLSearchParams(query)}`, { method: 'POST' });
    sent.on('error', () => {}).write(lines);
    return sent;
  };
  beforeAll(() =>
    // Slows down inserts: each row takes 0.3 s.
    store.command(
      'CREATE TABLE IF NOT EXISTS slow (a UInt32, CONSTRAINT takes CHECK sleepEachRow(0.3) = 0) ENGINE = MergeTree ORDER BY a',
    ),
  );

  test('waits until no statement of the previous holder is running; servers that take other locks do not wait', async () => {
    const first = await store.holding(held(1, 2));
    for (const [insert, stored] of [
      [() => first.insert('slow', ['a'], Buffer.from('1\n2\n')), ['1', '2']],
      [() => first.command('INSERT INTO slow SELECT number + 3 FROM numbers(2)'), ['1', '2', '3', '4']],
    ] as const) {
      await nothingRuns();
      const inserting = insert();
      await expect.poll(running).toBe(1);
      await store.holding(held(3, 200));
      expect(await running()).toBe(1);
      await store.holding(held(2, 3));
      expect(await rows()).toEqual(stored);
      await inserting;
    }
  });

  test('waits for an insert whose sender was disconnected, and sees its rows', async () => {
    await nothingRuns();
    const sent = send(4, '5\n6\n');
    sent.end();
    await expect.poll(running).toBe(1);
    sent.destroy();
    await store.holding(held(4));
    expect((await rows()).slice(-2)).toEqual(['5', '6']);
  });

  test('is rejected while a previous insert does not end, and succeeds after it has ended', async () => {
    await nothingRuns();
    const sent = send(5, '7\n');
    await expect.poll(running).toBe(1);
    const find = () => store.lines(buildCommentsSql(undefined));
    const waiting = awaitInsertsLeft({ database: 'default', locks: [5, 6] }, find, 50);
    await expect(waiting).rejects.toThrow('still runs an insert');
    // A lock of another installation on the same ClickHouse server.
    await awaitInsertsLeft({ database: 'another', locks: [5] }, find, 50);
    await awaitInsertsLeft({ database: 'default', locks: [] }, find, 50);
    sent.destroy();
    await store.holding(held(5));
    expect(await rows()).not.toContain('7');
  });

  test('starts no insert after its locks are lost', async () => {
    const check = () => Promise.reject(new Error('the connection is lost'));
    const lost = await store.holding({ numbers: [8], check });
    await expect(lost.insert('slow', ['a'], Buffer.from('8\n'))).rejects.toThrow('connection is lost');
    await expect(lost.command('INSERT INTO slow SELECT 8')).rejects.toThrow('connection is lost');
    expect(await rows()).not.toContain('8');
  });
});
