import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTraceStore, type TraceStore } from '../../platform/trace-store/index.ts';
import { readInBackground } from './background-reads.ts';

let dataDir: string;
let store: TraceStore;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-background-'));
  store = await openTraceStore({ clickhouse: undefined, dataDir });
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('while a search for findings reads, lists and other background work do not wait, and its statements run one at a time', async () => {
  const ended: string[] = [];
  const row = z.object({ name: z.string() });
  const read = async (rows: TraceStore['rows'], name: string, seconds: number) => {
    await rows(row, `SELECT {name:String} AS name, sleep(${seconds})`, { name });
    ended.push(name);
  };
  const { rows } = readInBackground(store);
  const search = ['first', 'second', 'third', 'fourth'].map((name) => read(rows, name, 0.5));
  await Promise.all([
    ...['list', 'list', 'list'].map((name) => read(store.rows, name, 0)),
    read(store.rowsBeside, 'background', 0),
  ]);
  expect(ended.toSorted()).toEqual(['background', 'list', 'list', 'list']);
  await Promise.all(search);
  expect(ended.slice(4)).toEqual(['first', 'second', 'third', 'fourth']);
});
