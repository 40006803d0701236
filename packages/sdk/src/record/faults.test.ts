import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../test');

// A new recording for each of 900 faults.
const TIMEOUT_MS = 600_000;

test('whichever function of the recorder throws, the host gives the same results at the same microtasks', {
  timeout: TIMEOUT_MS,
}, () => {
  const preload = join(folder, 'fault-points.ts');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--conditions=source', '--import', preload, join(folder, 'record-with-faults.ts')],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  expect(stderr).toBe('');
  const { functions, planted, noticed } = JSON.parse(stdout);
  expect(noticed).toEqual([]);
  // Nearly all that the recorder has.
  expect(functions).toBeGreaterThan(200);
  expect(planted).toBeGreaterThan(2 * functions);
});
