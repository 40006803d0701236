import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../test');

// Each fault needs a new recording, and `npm run test:long` makes hundreds of recordings.
const TIMEOUT_MS = 600_000;

test('the host has the same results at the same microtasks, whichever function of the recorder throws', {
  timeout: TIMEOUT_MS,
}, () => {
  const preload = join(folder, 'fault-points.ts');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--no-warnings',
      '--conditions=source',
      '--import',
      preload,
      join(folder, 'record-with-faults.ts'),
      isThorough() ? 'all' : 'some',
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  expect(stderr).toBe('');
  const { functions, planted, noticed } = JSON.parse(stdout);
  expect(noticed).toEqual([]);
  // The test proves little unless it reaches almost all functions of the recorder.
  expect(functions).toBeGreaterThan(200);
  expect(planted).toBeGreaterThan(isThorough() ? 2 * functions : functions / 3);
});
