import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@throughline/contract';
import { spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { begin, expectStored, Sender } from './fixtures/sending.ts';

/** Alternates between blocking and allowing writes. Unfreezes the disk when the script ends, since a frozen disk cannot be unmounted. */
const SLOW_DOWN = `
  trap 'fsfreeze -u "$0" 2>/dev/null; exit' TERM
  while fsfreeze -f "$0"; do sleep 0.6; fsfreeze -u "$0"; sleep 0.15; done`;

/** Returns true if this machine can mount a file as a disk that can be frozen. */
function canFreeze(): boolean {
  try {
    for (const program of ['mkfs.ext4', 'fsfreeze']) execFileSync('which', [program]);
    execFileSync('losetup', ['--find']);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

describe.skipIf(!canFreeze())('a disk that contains only the data folder', () => {
  let folder: string;
  let disk: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'throughline-slow-disk-'));
    disk = join(folder, 'disk');
    await mkdir(disk);
    const image = join(folder, 'image');
    await writeFile(image, '');
    await truncate(image, 600_000_000);
    execFileSync('mkfs.ext4', ['-q', image]);
    execFileSync('mount', ['-o', 'loop', image, disk]);
    await putStores(disk);
  });
  afterEach(async () => {
    execFileSync('umount', ['-l', disk]);
    await rm(folder, { recursive: true, force: true });
  });

  test('that is slow neither loses nor duplicates acknowledged traces, even if the server is then killed', async () => {
    const place = await begin(disk);
    const slow = spawn('sh', ['-c', SLOW_DOWN, disk], { stdio: 'ignore' });
    const over = once(slow, 'exit');
    const senders: Sender[] = [];
    try {
      for (let round = 0; round < 2; round += 1) {
        const some = Array.from({ length: 8 }, () => new Sender(400_000));
        senders.push(...some);
        await Promise.all(some.map((sender) => sender.send(place)));
      }
      expect(slow.exitCode).toBe(null);
    } finally {
      slow.kill('SIGTERM');
      await over;
    }
    await expectStored(place, senders);
    await place.server.kill('SIGKILL');
    const again = spawnServer({ dataDir: disk, env: { LOG_LEVEL: 'error' } });
    const client = createClient({ baseUrl: await again.ready(), fetch, token: () => place.token });
    await expectStored({ client, projectId: place.projectId }, senders);
    await again.kill('SIGTERM');
  }, 120_000);
});
