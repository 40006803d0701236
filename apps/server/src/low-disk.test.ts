import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkFolder } from './commands/doctor/folder.ts';
import { readConfig } from './platform/config.ts';
import { describeLowStoreSpace } from './platform/start/store-space.ts';

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

const DATABASE_URL = 'postgres://stores.example/throughline';
const SECRET_KEY = randomBytes(32).toString('base64');
const CLICKHOUSE_URL = 'http://stores.example:8123';

describe.skipIf(process.getuid?.() !== 0)('on a disk with little space,', () => {
  test('the server starts and prints one line with the problem and a remedy, and the doctor prints the same problem and remedy', async () => {
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

  test.each([
    ['no external store', {}, true],
    ['an external store of accounts', { DATABASE_URL }, true],
    ['two external stores', { DATABASE_URL, CLICKHOUSE_URL }, false],
  ])(
    'with %s, the server and the doctor warn only if a store is on this disk',
    async (_stores, external, warns) => {
      const config = readConfig(
        { production: false, demo: false },
        { DATA_DIR: disk, SECRET_KEY, ...external },
      );
      expect((await describeLowStoreSpace(config)) !== undefined).toBe(warns);
      const findings = await checkFolder(config);
      const room = findings.find(({ about }) => about === 'Disk');
      expect(room?.state).toBe(warns ? 'wrong' : 'ok');
      if (!warns)
        expect(room?.says).toMatch(/^\d\.\d GB are free; accounts and traces are stored elsewhere$/);
    },
  );
});
