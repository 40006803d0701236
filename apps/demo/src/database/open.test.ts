import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { archiveIn, openDatabase } from './open.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'shop-cache-'));
});
afterEach(() => rm(cache, { recursive: true }));

it.runIf(isThorough())('a damaged database archive is replaced by one that the next start uses', async () => {
  const archive = await archiveIn(cache);
  await writeFile(archive, 'cut off');
  await (await openDatabase(cache)).close();
  expect(await readdir(cache)).toEqual([basename(archive)]);
  const { mtimeMs, size } = await stat(archive);
  expect(size).toBeGreaterThan(1_000_000);

  const database = await openDatabase(cache);
  expect(await database.query('SELECT count(*)::int AS users FROM users')).toEqual([{ users: 40 }]);
  await database.close();
  expect((await stat(archive)).mtimeMs).toBe(mtimeMs);
});
