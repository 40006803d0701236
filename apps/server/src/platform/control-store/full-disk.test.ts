import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putControlStore } from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainStartError } from '../start/start-errors.ts';
import { openControlStore } from './index.ts';

let folder: string;
let disk: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-full-'));
  disk = join(folder, 'disk');
  await mkdir(disk);
});
afterEach(async () => {
  execFileSync('umount', ['-l', disk]);
  await rm(folder, { recursive: true, force: true });
});

const mountDisk = (size: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);

/** Opens the control store on the disk. Returns the line that the server prints if the store cannot be opened. */
async function openOnDisk(): Promise<string | undefined> {
  const opening = openControlStore({ databaseUrl: undefined, dataDir: disk });
  const error: unknown = await opening.then(
    (store) => store.close(),
    (thrown: unknown) => thrown,
  );
  return error === undefined ? undefined : explainStartError(error);
}

describe.skipIf(process.getuid?.() !== 0)(
  'on a full disk, the server prints one line that names the disk and no other cause,',
  () => {
    test.runIf(isThorough())('if the store of accounts cannot be created', async () => {
      mountDisk('1m');
      expect(await openOnDisk()).toBe(`The disk of ${disk} is full: free space, then start again.`);
      // The failed start removes its files, so that the next start has all of the space.
      expect((await statfs(disk)).bavail).toBeGreaterThan(200);
    });

    test('if the store of accounts exists but cannot be opened', async () => {
      mountDisk('100m');
      await putControlStore(disk);
      const { bavail, bsize } = await statfs(disk);
      const filler = join(disk, 'filler');
      await writeFile(filler, Buffer.alloc(bavail * bsize));
      expect(await openOnDisk()).toBe(`The disk of ${disk} is full: free space, then start again.`);
      if (!isThorough()) return;
      await rm(filler);
      expect(await openOnDisk()).toBeUndefined();
    });
  },
);
