/**
 * Runs other projects' tests (test262, and libraries' own tests) in three modes, and compares the results: `plain` without the SDK,
 * `loaded` with all code instrumented, and `recorded` with the calls recorded, too.
 *
 *   node --conditions=source packages/sdk/test/foreign.long.ts --dir FOLDER
 *     [--only test262,express] [--part language/statements] [--every 10] [--work FOLDER]
 *
 * FOLDER contains a checkout of each project, under its name (`test262`, `express`, …). A missing checkout is skipped
 * and reported. Ends with `N passed, N failed`.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, type Results, runSuite } from './foreign/run-suite.ts';
import { SUITES, type Suite } from './foreign/suites.ts';
import { compareTest262 } from './foreign/test262.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    only: { type: 'string' },
    part: { type: 'string', default: 'language' },
    every: { type: 'string', default: '1' },
    work: { type: 'string' },
  },
});
const { dir = '', only } = values;
const work = values.work ?? mkdtempSync(join(tmpdir(), 'foreign-'));
let passed = 0;
let failed = 0;

function isWanted(name: string): boolean {
  if (only !== undefined && !only.split(',').includes(name)) return false;
  if (existsSync(join(dir, name))) return true;
  console.log(`${name}: left out, since ${join(dir, name)} is not there`);
  return false;
}

async function compareSuite(suite: Suite): Promise<void> {
  const folder = join(work, suite.name);
  if (!(await prepare(suite, join(dir, suite.name), folder))) return;
  const plain = [await runSuite(suite, folder, 'plain')];
  for (const mode of ['loaded', 'recorded'] as const) {
    const got = [await runSuite(suite, folder, mode)];
    let { steady, different } = compare(plain, got);
    // A difference that occurs only once may come from a flaky test, so the runs are repeated.
    if (different.length > 0) {
      if (plain.length === 1) plain.push(await runSuite(suite, folder, 'plain'));
      got.push(await runSuite(suite, folder, mode));
      ({ steady, different } = compare(plain, got));
    }
    if (steady === 0) throw new Error(`${suite.name}, ${mode}: no test was run`);
    passed += steady - different.length;
    failed += different.length;
    console.log(`${suite.name}, ${mode}: ${steady} tests, ${different.length} end otherwise`);
    for (const [name, ok] of different) console.log(`  ${name.trim()}: ${ok ? 'passed' : 'failed'} plain`);
  }
}

/**
 * Compares the runs. `steady` is the number of tests with the same result in all runs of `plain`. `different` lists the steady tests that
 * had another result in every run of `got`.
 */
function compare(
  plain: readonly Results[],
  got: readonly Results[],
): { steady: number; different: (readonly [name: string, ok: boolean])[] } {
  const steady = [...(plain[0] ?? [])].filter(([name, ok]) => plain.every((run) => run.get(name) === ok));
  return {
    steady: steady.length,
    different: steady.filter(([name, ok]) => got.every((run) => run.get(name) !== ok)),
  };
}

if (isWanted('test262')) {
  const count = await compareTest262(join(dir, 'test262'), values.part, Number(values.every));
  passed += count.passed;
  failed += count.failed;
}
for (const suite of SUITES) {
  if (!isWanted(suite.name)) continue;
  try {
    await compareSuite(suite);
  } catch (error) {
    failed++;
    console.log(error instanceof Error ? error.message : error);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
