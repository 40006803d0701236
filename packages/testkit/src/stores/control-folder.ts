import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

/** The cache of prepared stores lies with the packages: a new package version empties it. */
export const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/throughline', import.meta.url));

/**
 * Puts an initialised control store without tables into a data folder. Making one takes seconds on a busy machine, copying it a tenth of
 * one, so one is kept for all tests.
 */
export async function putControlStore(dataDir: string): Promise<void> {
  const kept = join(CACHE, 'small-control');
  if (!(await exists(kept))) await make(kept);
  copyFolder(kept, join(dataDir, 'control'));
}

/**
 * Synchronous, since the asynchronous copy takes four times the processor's time and nothing runs beside it. Links stay relative: as absolute
 * ones they would lead every copy's table definitions back to the folder that was copied.
 */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

async function make(kept: string): Promise<void> {
  const folder = await workFolder();
  const made = join(folder, 'control');
  // A third of the files: short pieces of log, and none of the databases that others would be made from.
  const client = await PGlite.create({ dataDir: made, initDbStartParams: ['--wal-segsize=1'] });
  await client.exec("update pg_database set datistemplate = false where datname like 'template_'");
  for (const database of ['template0', 'template1']) await client.exec(`drop database ${database}`);
  await client.close();
  await keep(made, kept);
  await rm(folder, { recursive: true, force: true });
}

/** An empty folder on the same disk, to make in it what is to be kept. */
export async function workFolder(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  return mkdtemp(join(CACHE, 'making-'));
}

/** Puts what was made where it is kept. Another test process may have been faster; both made the same. */
export async function keep(made: string, kept: string): Promise<void> {
  await rename(made, kept).catch(async (error: unknown) => {
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
