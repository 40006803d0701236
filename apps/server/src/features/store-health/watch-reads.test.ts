import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openTraceStore, type TraceStore } from '../../platform/trace-store/index.ts';
import { watchReads } from './watch-reads.ts';

const PROJECT = '01973000-0000-7000-8000-000000000001';
const SQL = 'SELECT answer FROM ingest_batches';

let dataDir: string;
let store: TraceStore;
let damaged: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-reads-'));
  damaged = 0;
  store = watchReads(await openTraceStore({ clickhouse: undefined, dataDir }), () => {
    damaged += 1;
  });
  const seconds = Math.floor(Date.now() / 1000);
  const row = `${PROJECT}\t${PROJECT}\tx\t${seconds}.000000\n`;
  await store.insert('ingest_batches', ['project_id', 'key', 'answer', 'stored_at'], Buffer.from(row));
});
afterEach(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function damageRows(): Promise<void> {
  const [path] = await store.lines("SELECT path FROM system.parts WHERE table = 'ingest_batches' AND active");
  if (path === undefined) throw new Error('no row is stored');
  const files = (await readdir(path)).filter((name) => name.endsWith('.bin') && name !== 'primary.cidx');
  for (const name of files) await truncate(join(path, name), 10);
}

async function readStream(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of store.stream(SQL)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.each(
  pickRows(
    [
      ['a stream', readStream],
      ['lines', () => store.lines(SQL)],
      ['rows', () => store.rows(z.object({ answer: z.string() }), SQL)],
    ],
    { usually: 1 },
  ),
)('a read of %s from a damaged file fails and is reported', async (_what, read) => {
  await damageRows();
  await expect(read()).rejects.toThrow();
  expect(damaged).toBe(1);
});

test('reads of undamaged files report no damage, and neither do invalid statements', async () => {
  expect(await readStream()).toBe('x\n');
  await expect(store.lines('SELECT nothing FROM ingest_batches')).rejects.toThrow();
  expect(damaged).toBe(0);
});
