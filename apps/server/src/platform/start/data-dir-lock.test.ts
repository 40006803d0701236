import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirBusy, lockDataDir } from './data-dir-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Locks the folder in another process, which holds the lock until the process is killed. */
async function holdElsewhere() {
  const module = new URL('./data-dir-lock.ts', import.meta.url).href;
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { lockDataDir } = await import(${JSON.stringify(module)});
       lockDataDir(${JSON.stringify(folder)}); process.stdout.write('held'); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return {
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('only one process at a time can use a data folder, and the error names that process', async () => {
  const other = await holdElsewhere();
  const attempt = () => lockDataDir(folder);
  expect(attempt).toThrow(DataDirBusy);
  expect(attempt).toThrow(`${folder} is in use by another Throughline process (process ${other.pid})`);
  await other.kill();
});

test('a killed process leaves no lock behind', async () => {
  const other = await holdElsewhere();
  await other.kill();
  lockDataDir(folder).release();
});

test('a lock file with the id of an unrelated running process does not prevent locking', async () => {
  await writeFile(join(folder, 'lock.pid'), '1');
  lockDataDir(folder).release();
});

test('the same process cannot lock a folder a second time until the process has released the folder', () => {
  const lock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow(DataDirBusy);
  lock.release();
  lockDataDir(folder).release();
});
