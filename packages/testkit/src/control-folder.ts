import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/throughline', import.meta.url));

/**
 * Puts an initialised, empty control store into a data folder. Making one takes seconds on a busy machine, copying it a tenth of
 * one, so one is kept for all tests, with the packages: a new PGlite makes a new one.
 */
export async function putControlStore(dataDir: string): Promise<void> {
  const kept = join(CACHE, 'empty-control');
  if (!(await exists(kept))) await make(kept);
  await cp(kept, join(dataDir, 'control'), { recursive: true });
}

async function make(kept: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'making-control-'));
  const made = join(folder, 'control');
  await (await PGlite.create({ dataDir: made })).close();
  // Another test process may have been faster; both made the same.
  await rename(made, kept).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
  });
  await rm(folder, { recursive: true, force: true });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
