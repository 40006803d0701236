import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { Database } from './database.ts';
import { SCHEMA } from './schema.ts';
import { seed } from './seed.ts';

/** Folder of the packed database cluster. Git ignores the folder, and it can be deleted. */
const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));

/**
 * Opens a new in-memory database with the shop's initial data; sales are lost at the end of the process. On two cores, creating an empty
 * database cluster takes 4 to 8 s, and unpacking a cluster 0.5 s. So the shop stores a packed cluster in `.cache` when it first starts.
 */
export async function openDatabase(cacheFolder: string = CACHE): Promise<Database> {
  const connection = await openCluster(await archiveIn(cacheFolder));
  await connection.exec(SCHEMA);
  const database = new Database(connection);
  await seed(database);
  return database;
}

async function openCluster(archive: string): Promise<PGlite> {
  const packed = await readFile(archive).catch(() => undefined);
  if (packed !== undefined) {
    try {
      return await PGlite.create({ loadDataDir: new Blob([new Uint8Array(packed)]) });
    } catch {
      await rm(archive, { force: true });
    }
  }
  const connection = await PGlite.create();
  // Ignores errors: without the cached archive, the next start is slow, because it creates a cluster again.
  await keep(archive, await connection.dumpDataDir('none')).catch(() => undefined);
  return connection;
}

/** Writes a temporary file and renames it, so that no reader sees an incomplete file. */
async function keep(archive: string, packed: Blob): Promise<void> {
  await mkdir(join(archive, '..'), { recursive: true });
  const unfinished = `${archive}.${randomUUID()}`;
  try {
    await writeFile(unfinished, new Uint8Array(await packed.arrayBuffer()));
    await rename(unfinished, archive);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Returns the path of the archive. The path includes PGlite's version, because only the same version can read the archive. */
export async function archiveIn(cacheFolder: string): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version }: { version?: unknown } = JSON.parse(await readFile(manifest, 'utf8'));
  return join(cacheFolder, `cluster-${String(version)}.tar`);
}
