import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const MODULE = new URL('server-process.ts', import.meta.url).href;

/** A benchmark that starts the server, prints the server's process id, and then ends in the given way. */
const program = (ending: string) => `
  const { launchServer } = await import(${JSON.stringify(MODULE)});
  const { child } = await launchServer(process.env.FOLDER);
  process.stdout.write(child.pid + '\\n', () => { ${ending} });
  setInterval(() => {}, 1000);
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.runIf(isThorough()).each([
  ['an error that nothing handles', "void Promise.reject(new Error('the page has been closed'))"],
  ['a signal to end', "process.kill(process.pid, 'SIGTERM')"],
])('the server of a benchmark ends with the benchmark, after %s', async (_, ending) => {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-bench-ends-'));
  const bench = spawn(
    process.execPath,
    ['--conditions=source', '--input-type=module', '-e', program(ending)],
    {
      env: { ...process.env, FOLDER: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [line] = await once(bench.stdout, 'data');
  const pid = Number(String(line));
  expect(pid).toBeGreaterThan(0);
  await once(bench, 'exit');
  try {
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
