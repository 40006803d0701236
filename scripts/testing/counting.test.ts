import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { root } from '../workspace.mjs';
import { chosen } from './counting.mjs';

afterEach(() => vi.unstubAllGlobals());

/** Runs stages in a separate process. Each stage is a Node command that passes if it exits with 0. */
function runStages(stages: readonly { name: string; group?: string; code: string }[]) {
  const script = `
    import { runAll } from './scripts/testing/counting.mjs';
    import { exitCode } from './scripts/workspace.mjs';
    const stages = ${JSON.stringify(stages)};
    await runAll(stages.map(({ name, group, code }) => ({
      name,
      group,
      run: async (label) => {
        const failed = await exitCode(process.execPath, ['-e', code], { label });
        return failed === 0
          ? { passed: 1, failed: 0, skipped: 0 }
          : { passed: 0, failed: 1, skipped: 0, failures: [name + ' failed'] };
      },
    })));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
}

test('the stages of a group run at the same time, and each line of output names its stage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-stages-'));
  const meet = (own: string, other: string) => `
    const { existsSync, writeFileSync } = require("fs");
    writeFileSync(${JSON.stringify(join(folder, own))}, "");
    while (!existsSync(${JSON.stringify(join(folder, other))}));
    console.log("met");`;
  const { stdout, status } = runStages([
    { name: 'one', group: 'tests', code: meet('a', 'b') },
    { name: 'other', group: 'tests', code: meet('b', 'a') },
    { name: 'alone', code: 'console.log("by itself")' },
  ]);
  rmSync(folder, { recursive: true });
  expect(stdout).toContain('one │ met\n');
  expect(stdout).toContain('other │ met\n');
  expect(stdout).toMatch(/^by itself$/m);
  expect(stdout).toMatch(/3 passed, 0 failed\s*$/);
  expect(status).toBe(0);
});

test('a failed stage fails the run even if other stages of the group pass, and is named at the end', () => {
  const { stdout, status } = runStages([
    { name: 'bad', group: 'tests', code: 'process.exit(3)' },
    { name: 'good', group: 'tests', code: '' },
  ]);
  expect(stdout).toMatch(/✖ bad failed\s+1 passed, 1 failed\s*$/);
  expect(status).toBe(1);
});

test('a background process that a command left running does not delay the run, even if the process keeps the output open', () => {
  const leave = `
    const { pid } = require("child_process").spawn("sleep", ["600"], { stdio: "inherit", detached: true });
    console.log("left", pid);
    process.exit();`;
  const { stdout, status } = runStages([
    { name: 'one', group: 'tests', code: leave },
    { name: 'other', group: 'tests', code: '' },
  ]);
  process.kill(Number(/one │ left (\d+)/.exec(stdout)?.[1]));
  expect(stdout).toMatch(/2 passed, 0 failed\s*$/);
  expect(status).toBe(0);
});

test.each([
  ['the stage with this name', 'soak', ['soak']],
  ['all stages whose names begin with this name and a hyphen', 'real', ['real-20', 'real-22']],
  ['the stages of each name in a list', 'soak,real-22', ['real-22', 'soak']],
])('--only runs %s: %s', (_which, only, expected) => {
  vi.stubGlobal('process', { ...process, argv: ['node', 'test-long.mjs', `--only=${only}`] });
  const stages = ['real-20', 'real-22', 'realistic', 'soak'].map((name) => ({
    name,
    run: () => Promise.resolve({ passed: 0, failed: 0, skipped: 0 }),
  }));
  expect(chosen(stages).map(({ name }) => name)).toEqual(expected);
});
