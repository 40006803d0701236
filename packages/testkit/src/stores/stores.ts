import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from 'throughline/config';
import { openStores, type Stores } from 'throughline/stores';
import { afterAll, beforeAll } from 'vitest';
import { dropStores, putStores, storeSettings } from './stores-folder.ts';

/** Opens both stores without a server, with tables and no rows, for all tests of the calling file. */
export function storesOfFile(): Pick<Stores, 'control' | 'traces'> {
  let opened: Stores | undefined;
  const now = () => {
    if (opened === undefined) throw new Error('The stores are there in tests and their hooks only.');
    return opened;
  };
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'throughline-stores-'));
    await putStores(dataDir);
    const settings = { DATA_DIR: dataDir, ...storeSettings(dataDir) };
    opened = await openStores(readConfig({ production: false, demo: false }, settings));
  });
  afterAll(async () => {
    await opened?.close();
    await dropStores(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get control() {
      return now().control;
    },
    get traces() {
      return now().traces;
    },
  };
}
