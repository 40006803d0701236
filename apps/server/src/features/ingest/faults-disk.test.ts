import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@throughline/contract';
import { postBody, spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { begin, buildBody, isTaken, newTraceId, type Place, pause, storedIds } from './fixtures/sending.ts';

function isMounted(path: string): boolean {
  return readFileSync('/proc/self/mounts', 'utf8').includes(` ${path} `);
}

let folder: string;
let disk: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-faults-'));
  disk = join(folder, 'disk');
  await mkdir(disk);
});
afterEach(async () => {
  while (isMounted(disk)) execFileSync('umount', ['-l', disk]);
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(process.getuid?.() !== 0)('a disk that contains only the data folder', () => {
  beforeEach(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]);
    await putStores(disk);
  });

  /** Sends batches until one has the given outcome, and returns the ids of the acknowledged traces. */
  async function sendUntil(
    place: Pick<Place, 'url' | 'apiKey'>,
    outcome: 'taken' | 'refused',
  ): Promise<string[]> {
    const taken: string[] = [];
    for (let tries = 0; tries < 200; tries += 1) {
      const ids = [newTraceId(), newTraceId(), newTraceId()];
      if (await isTaken(place, ids, buildBody(ids, 100_000))) {
        taken.push(...ids);
        if (outcome === 'taken') return taken;
      } else {
        if (outcome === 'refused') return taken;
        await pause(200);
      }
    }
    throw new Error(`nothing was ${outcome}`);
  }

  /** Checks that a newly started server has exactly the acknowledged traces and accepts more. */
  async function checkAfter(place: Place, acknowledged: readonly string[]): Promise<void> {
    await place.server.kill('SIGKILL');
    const again = spawnServer({ dataDir: disk, env: { LOG_LEVEL: 'error' } });
    const url = await again.ready();
    const client = createClient({ baseUrl: url, fetch, token: () => place.token });
    const stored = await storedIds(client, place.projectId);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
    const more = await sendUntil({ url, apiKey: place.apiKey }, 'taken');
    expect(await storedIds(client, place.projectId)).toEqual(expect.arrayContaining(more));
    await again.kill('SIGTERM');
  }

  /** Checks that each sender receives the reason, and that the log shows the operator the remedy once. */
  async function expectRefusal(place: Place, answer: string, remedy: string): Promise<void> {
    for (const _batch of [1, 2, 3]) {
      // The disk has already refused a smaller batch, so it has too little space for these traces.
      const ids = Array.from({ length: 30 }, () => newTraceId());
      const reply = await postBody(place, place.apiKey, buildBody(ids, 100_000));
      expect(reply).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining(answer), error: { code: 'unavailable' } },
      });
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    // The log line can appear after the response.
    await expect.poll(() => place.server.output()).toContain(remedy);
    const lines = place.server.output().split('\n');
    expect(lines.filter((line) => line.includes(remedy))).toHaveLength(1);
    expect(lines.filter((line) => /"level":(40|50)|WARN|ERROR/.test(line))).toHaveLength(1);
  }

  test.runIf(isThorough())(
    'that becomes read-only is reported, and traces are accepted again once the disk is writable',
    async () => {
      const place = await begin(disk, { LOG_LEVEL: 'info' });
      const acknowledged = await sendUntil(place, 'taken');
      // A disk with files that are open for writing cannot be remounted read-only. A read-only bind mount over the disk affects only files
      // that are opened from now on.
      execFileSync('mount', ['--bind', disk, disk]);
      execFileSync('mount', ['-o', 'remount,bind,ro', disk]);
      await expectRefusal(
        place,
        "The server's disk is read-only",
        'has become read-only, and senders are refused: mount the disk for writing',
      );
      execFileSync('umount', ['-l', disk]);
      acknowledged.push(...(await sendUntil(place, 'taken')));
      await checkAfter(place, acknowledged);
    },
    240_000,
  );

  test.runIf(isThorough())(
    'that is full leads to 503; acknowledged traces are kept, and new traces are accepted once there is space',
    async () => {
      const place = await begin(disk, { LOG_LEVEL: 'info' });
      const acknowledged = await sendUntil(place, 'taken');
      const filler = join(disk, 'somebody-elses-file');
      const { bavail, bsize } = await statfs(disk);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - 4_000_000)));
      acknowledged.push(...(await sendUntil(place, 'refused')));
      await expectRefusal(place, "The server's disk is full", 'is full, and senders are refused: free space');
      await truncate(filler, 0);
      acknowledged.push(...(await sendUntil(place, 'taken')));
      await expect.poll(() => place.server.output()).toContain('traces can be stored again');
      await checkAfter(place, acknowledged);
    },
    240_000,
  );

  test.runIf(isThorough())(
    'that is read-only prevents the start with a one-line error, and no trace is lost once the disk is writable',
    async () => {
      const place = await begin(disk);
      const acknowledged = await sendUntil(place, 'taken');
      await place.server.kill('SIGKILL');
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      const refused = spawnServer({ dataDir: disk });
      expect(await refused.ended()).toBe(1);
      expect(refused.output()).toMatch(/^.* is not writable \(.*set another DATA_DIR.*\n$/);
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      await checkAfter(place, acknowledged);
    },
    240_000,
  );
});
