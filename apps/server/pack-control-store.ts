/**
 * Run by the build: makes the store of accounts as a first start would, and packs it beside the built code, for first starts to unpack. It holds
 * tables and nothing secret: keys are each server's own, made at its start.
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
