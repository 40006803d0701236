/**
 * `npm test`: builds what is missing; runs types, lint, dead code, unit and integration tests and browser tests; and ends with a line
 * `N passed, N failed`. Exits with 0 only if nothing failed. `npm test -- --only=types,lint,unit,browser` runs only these stages,
 * `npm test -- PATH ...` the tests in the given files.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { add, chosen, none, playwright, runAll, vitest } from './testing/counting.mjs';
import { memoryFolder } from './testing/memory-folder.mjs';
import { filesToTest, needBuild } from './testing/test-files.mjs';
import { ensureBuilt, ensureInstalled, exitCode, root } from './workspace.mjs';

/** @typedef {import('./testing/counting.mjs').Count} Count */
/** @typedef {import('./testing/counting.mjs').Stage} Stage */

const results = join(root, '.cache', 'test');
/** Path of the compiler. Its command `tsc` is not called by name, because ts-node's older compiler has a command of the same name. */
const typescript = join('node_modules', 'typescript', 'bin', 'tsc');

/**
 * The build, which the tests need. It runs at the same time as the checks (types, lint, dead code). Some test files can run without it.
 * @type {Stage}
 */
const BUILD = {
  name: 'build',
  group: 'checks',
  run: async () => {
    await ensureBuilt();
    return { passed: 1, failed: 0, skipped: 0 };
  },
};

/** @type {readonly Stage[]} */
const STAGES = [
  { name: 'types', group: 'checks', run: types },
  {
    name: 'lint',
    group: 'checks',
    run: (label) => command('biome', ['check', '--error-on-warnings', '.'], label),
  },
  { name: 'dead', group: 'checks', run: (label) => command('knip', [], label) },
  { name: 'unit', run: (label) => unit([], label) },
  { name: 'browser', run: (label) => browser([], label) },
];

/**
 * Checks types. One tsc run covers all code for Node, so that shared sources are read only once.
 *
 * @param {string} [label]
 * @returns {Promise<Count>}
 */
async function types(label) {
  const total = none();
  for (const project of ['tsconfig.node.json', 'apps/dashboard', 'bench', 'e2e', 'scripts']) {
    add(total, await command('node', [typescript, '-p', project], label));
  }
  return total;
}

/** @param {string} name @param {readonly string[]} args @param {string} [label] @returns {Promise<Count>} */
async function command(name, args, label) {
  if ((await exitCode(name, args, { label })) === 0) return { passed: 1, failed: 0, skipped: 0 };
  return { passed: 0, failed: 1, skipped: 0, failures: [[name, ...args].join(' ')] };
}

/** @param {readonly string[]} args @param {string} [label] @returns {Promise<Count>} */
function unit(args, label) {
  const temp = memory();
  return vitest(args, join(results, 'unit.json'), temp === undefined ? {} : { TMPDIR: temp }, label);
}

/** @param {readonly string[]} args @param {string} [label] @returns {Promise<Count>} */
function browser(args, label) {
  const folders = memory();
  // A stage with a label runs at the same time as another stage, which also needs CPU time.
  const workers = label === undefined ? [] : ['--workers=2'];
  const env = folders === undefined ? {} : { THROUGHLINE_E2E_FOLDERS: folders };
  return playwright([...workers, ...args], join(results, 'browser.json'), env, label);
}

/** @type {{ readonly folder: string | undefined } | undefined} */
let made;

/** Returns the folder in memory that all tests of this run use; undefined if {@link memoryFolder} could not create it. */
function memory() {
  made ??= { folder: memoryFolder() };
  return made.folder;
}

/**
 * Returns the stages that run only these test files.
 *
 * @param {import('./testing/test-files.mjs').TestFiles} files
 * @returns {readonly Stage[]}
 */
function listStages({ node, browser: specs }) {
  return [
    ...node.map(({ mode, paths }) => ({
      name: 'unit',
      run: () => unit(mode === undefined ? paths : ['--mode', mode, ...paths]),
    })),
    ...(specs.length > 0 ? [{ name: 'browser', run: () => browser(specs) }] : []),
  ];
}

const files = filesToTest(process.argv.slice(2));
const stages = files === undefined ? chosen(STAGES) : listStages(files);

await ensureInstalled();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const paths = files === undefined ? [] : [...files.browser, ...files.node.flatMap((part) => part.paths)];
const isBuildNeeded = files === undefined || needBuild(paths);
await runAll([...(isBuildNeeded ? [BUILD] : []), ...stages]);
