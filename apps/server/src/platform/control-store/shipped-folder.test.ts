import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putControlStore } from '@throughline/testkit';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as schema from './index.ts';
import { openControlStore, readControlMigrations } from './index.ts';
import { packFolder, unpackShipped } from './shipped-folder.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-shipped-'));
  file = join(folder, 'empty-store.zst');
  await putControlStore(folder);
  await (await openControlStore({ databaseUrl: undefined, dataDir: folder })).close();
  packFolder(join(folder, 'control'), file);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('an unpacked control store is readable only by its owner, and opens with all tables, which are empty', async () => {
  const dataDir = join(folder, 'new');
  expect(unpackShipped(join(dataDir, 'control'), file)).toBe(true);
  const all = { recursive: true, withFileTypes: true } as const;
  const [before, after] = [
    await readdir(join(folder, 'control'), all),
    await readdir(join(dataDir, 'control'), all),
  ];
  expect(after.map(({ name }) => name).sort()).toEqual(before.map(({ name }) => name).sort());
  for (const entry of after) {
    expect((await stat(join(entry.parentPath, entry.name))).mode & 0o077).toBe(0);
  }
  const { db, close } = await openControlStore({ databaseUrl: undefined, dataDir });
  expect((await readControlMigrations(db)).pending).toEqual([]);
  const tables = Object.values(schema).filter((value) => value instanceof PgTable);
  expect(tables.length).toBeGreaterThan(15);
  for (const table of tables)
    expect([getTableConfig(table).name, await db.$count(table)]).toEqual([getTableConfig(table).name, 0]);
  await close();
});

test.each([
  ['is not there', async () => {}],
  ['is empty', (place: string) => writeFile(place, '')],
  ['is of other migrations', (place: string) => spoilt(place, (bytes) => bytes.fill('0', 0, 64))],
  ['was cut off', (place: string) => spoilt(place, (bytes) => bytes.subarray(0, -100))],
  [
    'has a changed byte',
    (place: string) => spoilt(place, (bytes) => bytes.fill(255, bytes.length - 50, bytes.length - 49)),
  ],
])('a packed control store that %s is ignored, and no folder is created', async (name, put) => {
  const place = join(folder, name);
  await put(place);
  const target = join(folder, `of ${name}`);
  expect(unpackShipped(target, place)).toBe(false);
  await expect(stat(target)).rejects.toThrow('ENOENT');
});

async function spoilt(place: string, spoil: (bytes: Buffer) => Buffer): Promise<void> {
  await writeFile(place, spoil(await readFile(file)));
}
