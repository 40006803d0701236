/**
 * Runs tests that others wrote, plain, loaded and recorded, and compares the ends: test262, and the own tests of libraries.
 *
 *   node --conditions=source packages/sdk/test/foreign.long.ts --dir FOLDER [--only test262,express] [--part language/statements] [--every 10]
 *
 * FOLDER has a checkout of each, under its name (`test262`, `express`, …); one that is not there is left out, and said so. Ends with `N passed, N failed`.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mode, prepare, type Results, runSuite } from './foreign/run-suite.ts';
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

/** How often each mode is run at most: what differs once may be a test that fails now and then. */
const MAX_RUNS = 2;

async function compareSuite(suite: Suite): Promise<void> {
  const folder = join(work, suite.name);
  if (!(await prepare(suite, join(dir, suite.name), folder))) return;
  const runs = async (mode: Mode): Promise<Results[]> => {
    const results: Results[] = [];
    while (results.length < MAX_RUNS) results.push(await runSuite(suite, folder, mode));
    return results;
  };
  const plain = await runs('plain');
  const steady = [...(plain[0] ?? [])].filter(([name, ok]) => plain.every((run) => run.get(name) === ok));
  for (const mode of ['loaded', 'recorded'] as const) {
    const got = await runs(mode);
    const different = steady.filter(([name, ok]) => got.every((run) => run.get(name) !== ok));
    passed += steady.length - different.length;
    failed += different.length;
    console.log(`${suite.name}, ${mode}: ${steady.length} tests, ${different.length} end otherwise`);
    for (const [name, ok] of different) console.log(`  ${name.trim()}: ${ok ? 'passed' : 'failed'} plain`);
  }
}

if (isWanted('test262')) {
  const count = await compareTest262(join(dir, 'test262'), values.part, Number(values.every));
  passed += count.passed;
  failed += count.failed;
}
for (const suite of SUITES) if (isWanted(suite.name)) await compareSuite(suite);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
