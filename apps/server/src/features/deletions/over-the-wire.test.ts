import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, type ProjectId } from '../../platform/ids.ts';
import {
  type ServedClickHouse,
  serveClickHouse,
} from '../../platform/trace-store/fixtures/served-clickhouse.ts';
import { openTraceStore, type TraceStore, traceClock } from '../../platform/trace-store/index.ts';
import { countOldParts, countSent, deleteSent, rewriteParts } from './rows-store.ts';

let folder: string;
let clickhouse: ServedClickHouse;
let store: TraceStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-deleted-'));
  clickhouse = await serveClickHouse(join(folder, 'clickhouse'));
  const reached = { url: clickhouse.url, user: 'default', password: '', database: 'default' };
  store = await openTraceStore({ clickhouse: { ...reached, cluster: undefined }, dataDir: folder });
});
afterAll(async () => {
  await store.close();
  await clickhouse.stop();
  await rm(folder, { recursive: true, force: true });
});

const MARKER = 'marker-of-a-project-4711';

async function isOnDisk(): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0)));
  return (await Promise.all(files)).some((bytes) => bytes.includes(MARKER));
}

test('of a ClickHouse server, too, deleted rows are hidden first, and off the disk once their parts are written anew', async () => {
  await store.command('ALTER TABLE spans MODIFY COLUMN captured CODEC(NONE)');
  const projects = [newId<ProjectId>(), newId<ProjectId>()] as const;
  const seconds = (Date.now() / 1000).toFixed(6);
  const rows = projects.map((id, place) => `${id}\t${place === 0 ? MARKER : 'another'}\t${seconds}\n`);
  await store.insert('spans', ['project_id', 'captured', 'stored_at'], Buffer.from(rows.join('')));
  const sentBy = (projectId: ProjectId) => ({ projectId, until: new Date(), batches: true });
  expect(await countSent(store, sentBy(projects[0]))).toEqual({ traces: 0, steps: 0, spans: 1, batches: 0 });

  await deleteSent(store, sentBy(projects[0]));
  expect(await countSent(store, sentBy(projects[0]))).toMatchObject({ spans: 0 });
  expect(await isOnDisk()).toBe(true);

  await rewriteParts(store);
  const rewrittenAt = await traceClock(store);
  await expect.poll(() => countOldParts(store, rewrittenAt), { timeout: 30_000 }).toBe(0);
  expect(await isOnDisk()).toBe(false);
  expect(await countSent(store, sentBy(projects[1]))).toMatchObject({ spans: 1 });
});
