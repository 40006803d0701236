import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from 'throughline/config';
import { openStores } from 'throughline/stores';
import { CACHE, copyFolder, exists, moveToCache, putControlStore, workFolder } from './control-folder.ts';

const PLATFORM = fileURLToPath(new URL('../../../../apps/server/src/platform', import.meta.url));
const STORES = ['control', 'traces'] as const;

let prepared: Promise<string> | undefined;

/**
 * Copies a store with the server's tables and no rows into a data folder. Creating the tables takes longer than the rest of a server's
 * start, so the stores are cached for all tests until a migration changes.
 */
export async function copyStore(store: (typeof STORES)[number], dataDir: string): Promise<void> {
  prepared ??= prepareStores();
  copyFolder(join(await prepared, store), join(dataDir, store));
}

async function prepareStores(): Promise<string> {
  const place = join(CACHE, `small-stores-${await migrationsHash()}`);
  if (!(await exists(place))) await make(place);
  return place;
}

async function make(place: string): Promise<void> {
  const dataDir = await workFolder();
  await putControlStore(dataDir);
  const config = readConfig({ production: false, demo: false }, { DATA_DIR: dataDir });
  await (await openStores(config)).close();
  for (const name of await readdir(dataDir)) {
    if (!STORES.some((store) => store === name)) await rm(join(dataDir, name), { recursive: true });
  }
  await moveToCache(dataDir, place);
}

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const store of ['control-store', 'trace-store']) {
    const folder = join(PLATFORM, store, 'migrations');
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    for (const path of paths.sort()) hash.update(`${path}\0`).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 16);
}
