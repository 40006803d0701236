import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTraceStore } from '../open.ts';

test('rows are synced to disk in every table when the store is opened, unless syncing is disabled', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'throughline-fsync-'));
  try {
    for (const fsync of [false, true, true, false]) {
      const store = await openTraceStore({ clickhouse: undefined, dataDir, fsync });
      const engines = await store.lines(
        "SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
      );
      expect(engines.length).toBeGreaterThan(4);
      for (const engine of engines) {
        expect(engine.includes('fsync_after_insert = 1, fsync_part_directory = 1')).toBe(fsync);
      }
      const project = '01973000-0000-7000-8000-000000000001';
      const seconds = Math.floor(Date.now() / 1000);
      await store.insert(
        'ingest_batches',
        ['project_id', 'key', 'answer', 'stored_at'],
        Buffer.from(`${project}\t${project}\tx\t${seconds}.000000\n`),
      );
      await store.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
