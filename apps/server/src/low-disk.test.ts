import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let folder: string;
let disk: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-low-'));
  disk = join(folder, 'disk');
  await mkdir(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=240m', 'tmpfs', disk]);
  await putStores(disk);
});
afterEach(async () => {
  execFileSync('umount', ['-l', disk]);
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(process.getuid?.() !== 0)('on a disk with little space,', () => {
  test('the server starts and prints one line that says what to do, and the doctor says the same', async () => {
    const says =
      /only \d+ MB are free on the disk of \S+\/disk, less than 256 MB: free space or use a larger disk/;
    const server = spawnServer({ dataDir: disk });
    try {
      await server.ready();
    } finally {
      await server.kill('SIGTERM');
    }
    expect(
      server
        .output()
        .split('\n')
        .filter((line) => says.test(line)),
    ).toHaveLength(1);
    const { code, stdout } = await runCommand(['doctor'], { dataDir: disk });
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`\\[FAIL\\] Disk: ${says.source}`));
  });
});
