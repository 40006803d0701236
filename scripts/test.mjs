/**
 * `npm test`: types, lint, dead code, unit and integration tests, browser tests; then one line `N passed, N failed`.
 * Exits 0 only when none failed and some ran. `npm test -- --only=types,lint,unit,browser` runs some of them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, exitCode, root } from './workspace.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const results = join(root, '.cache', 'test');

/** @type {readonly { name: string, run: () => Promise<Count> }[]} */
const STAGES = [
  { name: 'types', run: types },
  { name: 'lint', run: () => command('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'dead', run: () => command('knip', []) },
  { name: 'unit', run: unit },
  { name: 'browser', run: browser },
];

/** One check a TypeScript project. @returns {Promise<Count>} */
async function types() {
  const total = none();
  for (const project of projects()) add(total, await command('tsc', ['-p', project]));
  return total;
}

function projects() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  return [...folders, 'e2e', 'integrations', 'bench', 'scripts'];
}

/** @param {string} name @param {readonly string[]} args @returns {Promise<Count>} */
async function command(name, args) {
  const failed = (await exitCode(name, args)) === 0 ? 0 : 1;
  if (failed > 0) console.error(`✖ ${name} ${args.join(' ')}`);
  return { passed: 1 - failed, failed, skipped: 0 };
}

/** @returns {Promise<Count>} */
async function unit() {
  const file = join(results, 'unit.json');
  const code = await exitCode('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${file}`,
  ]);
  const report = read(file);
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const suites = report.testResults.filter(
    /** @param {{ status: string, assertionResults: unknown[] }} suite */
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  return count(report.numPassedTests, report.numFailedTests + suites, report.numPendingTests, code);
}

/** @returns {Promise<Count>} */
async function browser() {
  const file = join(results, 'browser.json');
  const code = await exitCode(
    'playwright',
    ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
    {
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      },
    },
  );
  const stats = read(file)?.stats;
  if (stats === undefined) return { passed: 0, failed: 1, skipped: 0 };
  return count(stats.expected + stats.flaky, stats.unexpected, stats.skipped, code);
}

/** A runner that failed for a reason that no test of it names still counts as one failure. */
/** @param {number} passed @param {number} failed @param {number} skipped @param {number} code @returns {Count} */
function count(passed, failed, skipped, code) {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
}

/** @param {string} file */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @returns {Count} */
function none() {
  return { passed: 0, failed: 0, skipped: 0 };
}

/** @param {Count} total @param {Count} more */
function add(total, more) {
  total.passed += more.passed;
  total.failed += more.failed;
  total.skipped += more.skipped;
}

const only = process.argv
  .find((arg) => arg.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');
const unknown = only?.filter((name) => STAGES.every((stage) => stage.name !== name)) ?? [];
if (unknown.length > 0) {
  console.error(`--only takes ${STAGES.map((stage) => stage.name).join(', ')}; not ${unknown.join(', ')}.`);
  process.exit(2);
}

await ensureInstalled();
await ensureBuilt();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const total = none();
for (const stage of STAGES.filter(({ name }) => only === undefined || only.includes(name))) {
  const started = Date.now();
  const result = await stage.run();
  add(total, result);
  console.log(
    `${stage.name}: ${result.passed} of ${result.passed + result.failed} in ${Math.round((Date.now() - started) / 1000)} s\n`,
  );
}
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
