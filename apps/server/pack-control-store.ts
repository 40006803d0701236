/**
 * The build runs this script. It packs an empty control store into a file next to the built code. At its first start, a server unpacks this
 * file, which is faster than creating a store. The store contains only empty tables: each server creates its own secrets.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openControlStore } from './src/platform/control-store/index.ts';
import { packFolder, unpackShipped } from './src/platform/control-store/shipped-folder.ts';

const target = join(import.meta.dirname, 'dist', 'platform', 'control-store', 'empty-store.zst');
const dataDir = mkdtempSync(join(tmpdir(), 'throughline-empty-store-'));
try {
  await (await openControlStore({ databaseUrl: undefined, dataDir })).close();
  packFolder(join(dataDir, 'control'), target);
  if (!unpackShipped(join(dataDir, 'tried'), target)) throw new Error(`${target} cannot be unpacked`);
} finally {
  rmSync(dataDir, { recursive: true });
}
