/**
 * `npm run test:long`: runs tests that take too long for `npm test`, and ends with a line `N passed, N failed`.
 * `npm run test:long -- --only=node-20,real` runs only these stages; `real` means all stages whose names begin with `real-`. To add a
 * stage, add an element to STAGES.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileDrivers } from './native-drivers.mjs';
import { chosen, none, playwright, program, runAll, vitest } from './testing/counting.mjs';
import { ensureBuilt, ensureInstalled, pinnedNode, root, run } from './workspace.mjs';

/** The newest version of each Node line that the SDK supports, and the oldest supported version. Null means the pinned Node. */
const nodes = { 20: '20.20.2', 22: '22.23.3', 24: null, 26: '26.10.0', 20.6: '20.6.1' };
/** The Node lines on which the published services run. */
const REAL_LINES = /** @type {const} */ ([20, 22, 24, 26]);

const results = join(root, '.cache', 'test-long');

/** @type {readonly import('./testing/counting.mjs').Stage[]} */
const STAGES = [
  ...Object.entries(nodes).map(([line, version]) => ({
    name: `node-${line}`,
    run: async () =>
      vitest(['--project', 'integrations'], join(results, `node-${line}.json`), {
        INTEGRATIONS_NODE: await findNode(version),
        LONG_TESTS: '1',
      }),
  })),
  {
    name: 'native-drivers',
    run: async () => {
      if (await compileDrivers())
        return vitest(['--project', 'integrations', 'drivers.test.ts'], join(results, 'native-drivers.json'));
      console.log('native-drivers: skipped, since there is no C++ compiler');
      return { ...none(), skipped: 1 };
    },
  },
  // Runs the server's tests on a real PostgreSQL, and with ClickHouse over HTTP.
  { name: 'wire', run: () => vitest(['--mode', 'wire'], join(results, 'wire.json')) },
  // Runs published services with and without the SDK. Installs the services once.
  ...REAL_LINES.map((line) => ({
    name: `real-${line}`,
    run: async () =>
      vitest(['--mode', 'real'], join(results, `real-${line}.json`), {
        INTEGRATIONS_NODE: await findNode(nodes[line]),
      }),
  })),
  { name: 'repeated', run: () => vitest(['--mode', 'long'], join(results, 'repeated.json')) },
  {
    // Runs all tests of these projects, including the cases and repetitions that `npm test` skips.
    name: 'whole',
    run: () =>
      vitest(
        ['contract', 'sdk', 'sdk-processes', 'testkit', 'dashboard', 'demo', 'scripts', 'bench'].flatMap(
          (name) => ['--project', name],
        ),
        join(results, 'whole.json'),
        { LONG_TESTS: '1' },
      ),
  },
  {
    name: 'differential',
    run: () => {
      const seed = `${Math.floor(Math.random() * 2 ** 31)}`;
      console.log(`Random programs from the seed ${seed}`);
      return vitest(
        ['--project', 'sdk', 'src/instrument/differential.test.ts', 'src/instrument/error-messages.test.ts'],
        join(results, 'differential.json'),
        { DIFFERENTIAL_SEED: seed, DIFFERENTIAL_RUNS: '5000', ERROR_MESSAGES: 'all' },
      );
    },
  },
  {
    // Runs the test suites of other projects. The folder contains a checkout of each project, under the project's name.
    name: 'foreign',
    run: async () => {
      const { FOREIGN_DIR: dir } = process.env;
      if (dir !== undefined) {
        return program('node', ['--conditions=source', 'packages/sdk/test/foreign.long.ts', '--dir', dir]);
      }
      console.log(
        'foreign: skipped, since FOREIGN_DIR names no folder with checkouts of test262 and libraries',
      );
      return { ...none(), skipped: 1 };
    },
  },
  {
    name: 'collector-faults',
    run: () => program('node', ['--conditions=source', 'integrations/collector-faults.long.ts']),
  },
  { name: 'browser', run: () => playwright([], join(results, 'browser.json'), { BROWSER_TESTS: 'long' }) },
  { name: 'soak', run: () => program('node', ['--conditions=source', 'bench/soak/soak.long.ts']) },
];

/**
 * Returns the path of the Node executable of the given version, or of the pinned Node for null. Installs other versions once, from the npm
 * package for this platform, each into a folder of its own below `.cache`.
 *
 * @param {string | null} version
 */
async function findNode(version) {
  if (version === null) return pinnedNode;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = join(root, '.cache', 'nodes', version);
  const executable = join(folder, 'node_modules', name, 'bin', platform === 'win' ? 'node.exe' : 'node');
  if (!existsSync(executable)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], {
      cwd: folder,
    });
  }
  return executable;
}

const stages = chosen(STAGES);
await ensureInstalled();
await ensureBuilt();
await runAll(stages);
