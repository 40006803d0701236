/**
 * `npm test`: types, lint, dead code, unit and integration tests, browser tests; then one line `N passed, N failed`.
 * Exits 0 only when none failed and some ran. `npm test -- --only=types,lint,unit,browser` runs some of them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { add, chosen, count, none, runAll, vitest } from './counting.mjs';
import { ensureBuilt, ensureInstalled, exitCode, root } from './workspace.mjs';

/** @typedef {import('./counting.mjs').Count} Count */

const results = join(root, '.cache', 'test');
/** By its path: an older compiler, which ts-node needs, is installed beside it and has a command of the same name. */
const typescript = join('node_modules', 'typescript', 'bin', 'tsc');

/** @type {readonly import('./counting.mjs').Stage[]} */
const STAGES = [
  { name: 'types', light: true, run: types },
  { name: 'lint', light: true, run: () => command('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'dead', light: true, run: () => command('knip', []) },
  { name: 'unit', run: unit },
  { name: 'browser', run: browser },
];

/** One check a TypeScript project. @returns {Promise<Count>} */
async function types() {
  const total = none();
  for (const project of projects()) add(total, await command('node', [typescript, '-p', project]));
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
function unit() {
  return vitest([], join(results, 'unit.json'));
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

/** @param {string} file */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const stages = chosen(STAGES);

await ensureInstalled();
await ensureBuilt();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

await runAll(stages);
