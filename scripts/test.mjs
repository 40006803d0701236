/**
 * `npm test`: builds what is missing; then types, lint, dead code, unit and integration tests, browser tests; then one line `N passed, N failed`.
 * Exits 0 only when none failed and some ran. `npm test -- --only=types,lint,unit,browser` runs some of them.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { add, chosen, none, playwright, runAll, vitest } from './counting.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { ensureBuilt, ensureInstalled, exitCode, root } from './workspace.mjs';

/** @typedef {import('./counting.mjs').Count} Count */

const results = join(root, '.cache', 'test');
/** By its path: an older compiler, which ts-node needs, is installed beside it and has a command of the same name. */
const typescript = join('node_modules', 'typescript', 'bin', 'tsc');

/** What the others run on, whichever they are. @type {import('./counting.mjs').Stage} */
const BUILD = {
  name: 'build',
  light: true,
  run: async () => {
    await ensureBuilt();
    return { passed: 1, failed: 0, skipped: 0 };
  },
};

/** @type {readonly import('./counting.mjs').Stage[]} */
const STAGES = [
  { name: 'types', light: true, run: types },
  { name: 'lint', light: true, run: () => command('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'dead', light: true, run: () => command('knip', []) },
  { name: 'unit', run: unit },
  { name: 'browser', run: () => playwright(join(results, 'browser.json')) },
];

/** One check for all that runs in Node and is written for it: what they import of each other is read once. @returns {Promise<Count>} */
async function types() {
  const total = none();
  for (const project of ['tsconfig.node.json', 'apps/dashboard', 'bench', 'e2e', 'scripts']) {
    add(total, await command('node', [typescript, '-p', project]));
  }
  return total;
}

/** @param {string} name @param {readonly string[]} args @returns {Promise<Count>} */
async function command(name, args) {
  if ((await exitCode(name, args)) === 0) return { passed: 1, failed: 0, skipped: 0 };
  return { passed: 0, failed: 1, skipped: 0, failures: [[name, ...args].join(' ')] };
}

/** @returns {Promise<Count>} */
function unit() {
  const temp = memoryFolder();
  return vitest([], join(results, 'unit.json'), temp === undefined ? {} : { TMPDIR: temp });
}

const stages = chosen(STAGES);

await ensureInstalled();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

await runAll([BUILD, ...stages]);
