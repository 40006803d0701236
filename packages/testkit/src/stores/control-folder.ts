import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

/** The cache of prepared stores is in node_modules, so that a clean installation of the packages deletes it. */
export const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/throughline', import.meta.url));

/**
 * Copies an initialized control store without tables into a data folder. Creating a store takes seconds on a busy machine, a copy a tenth
 * of a second, so one store is cached for all tests.
 */
export async function putControlStore(dataDir: string): Promise<void> {
  const prepared = join(CACHE, 'small-control');
  if (!(await exists(prepared))) await make(prepared);
  copyFolder(prepared, join(dataDir, 'control'));
}

/**
 * Copies synchronously, since the asynchronous copy takes four times the CPU time and nothing runs concurrently. Links stay relative:
 * absolute links would lead every copy's table definitions back to the original folder.
 */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

async function make(prepared: string): Promise<void> {
  const folder = await workFolder();
  const made = join(folder, 'control');
  // Reduces the store's files to a third: short WAL segments, and no template databases.
  const client = await PGlite.create({ dataDir: made, initDbStartParams: ['--wal-segsize=1'] });
  await client.exec("update pg_database set datistemplate = false where datname like 'template_'");
  for (const database of ['template0', 'template1']) await client.exec(`drop database ${database}`);
  await client.close();
  await moveToCache(made, prepared);
  await rm(folder, { recursive: true, force: true });
}

/** Creates an empty folder on the cache's disk, in which to build an entry of the cache. */
export async function workFolder(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  return mkdtemp(join(CACHE, 'making-'));
}

/** Moves the result into the cache. Another test process can have built the same entry first. */
export async function moveToCache(made: string, prepared: string): Promise<void> {
  await rename(made, prepared).catch(async (error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    await rm(made, { recursive: true, force: true });
  });
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
