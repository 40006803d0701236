import { join, relative } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findIntegrationTests, findThoroughTests } from './scripts/testing/unit-tests.ts';

/** With the condition "source", workspace packages resolve to their TypeScript sources. */
// The list lacks 'import', because vitest passes the list to Node, which would also apply 'import' to `require`. For imports, vitest and
// Node add 'import' by default.
const conditions = ['source', 'node', 'default'];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

const NO_TESTS = ['**/node_modules/**', '**/dist/**', '**/fixtures/**'];

const project = (name: string, root: string) => ({
  ...shared,
  test: {
    name,
    root,
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: [...NO_TESTS, '**/*.{long,wire}.test.ts'],
    pool: 'forks' as const,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    provide: { thorough: process.env.LONG_TESTS === '1' },
  },
});

/**
 * Compiles WebAssembly only with V8's baseline compiler, for tests that run PGlite in their process. The optimizing compiler would cost
 * each process 2 s of CPU and 500 MB for PGlite.
 */
const withPglite = (given: ReturnType<typeof project>) => ({
  ...given,
  test: { ...given.test, execArgv: ['--liftoff-only'] },
});

/**
 * Lets the test files of a worker share imported modules, for tests that leave no state in their process. Importing the modules again takes
 * longer than many of the server's test files.
 */
const tidy = (given: ReturnType<typeof project>) => ({
  ...given,
  test: { ...given.test, isolate: false },
});

/** Tests of the server that do not run on database servers, with the reason: they test a data folder, or choose their stores themselves. */
const EMBEDDED_ONLY = {
  'damaged-installation.test.ts': 'folders: files that are missing or damaged',
  'run.test.ts': 'starts on folders: the first one, a second process, what is made in them',
  'commands/{backup,commands,upgrade}.test.ts': 'folders: empty, in use, of an older version, restored into',
  'platform/start/{data-dir-lock,secrets}.test.ts': 'the folder itself',
  'platform/control-store/*.test.ts': 'tries PGlite and PostgreSQL beside each other',
  'platform/trace-store/{trace-store,embedded/fsync,served/cluster}.test.ts': 'the engine in process',
  'features/ingest/faults-{disk,store}.test.ts': 'disks of folders; a ClickHouse of its own that fails',
  'several-servers.test.ts': 'a PostgreSQL and a ClickHouse of their own',
  'features/account/forgot-statements.test.ts': 'counts the statements of PGlite',
  'features/billing/life.test.ts': 'a PGlite of its own, for hundreds of accounts',
  'features/{auth/{session-watch,login-throttle},projects/keys}.test.ts': 'a PostgreSQL of its own',
} as const;

const server = withPglite(tidy(project('server-over-the-wire', 'apps/server')));
/** The server's tests, run a second time on the stores that several servers can share: PostgreSQL, and ClickHouse over HTTP. */
const overTheWire = (include: readonly string[]) => ({
  ...server,
  test: {
    ...server.test,
    include: [...include],
    exclude: [...NO_TESTS, '**/*.long.test.ts', ...Object.keys(EMBEDDED_ONLY).map((path) => `src/${path}`)],
    globalSetup: [join(import.meta.dirname, 'packages/testkit/src/stores/served-stores.ts')],
  },
});

/** `npm test` runs two files over the wire: logins and quotas. `npm run test:long` runs all. */
const someOverTheWire = overTheWire(['src/features/{auth/auth,usage/reservations}.test.ts']);

/**
 * `npm run test:long` runs `*.long.test.ts`, and the server's tests with additional cases, which import `@throughline/testkit/thorough`.
 */
const long = {
  ...shared,
  test: {
    ...server.test,
    name: 'long',
    root: '.',
    include: [
      '{packages,apps}/*/src/**/*.long.test.ts',
      ...findThoroughTests(import.meta.dirname, ['apps/server']),
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 600_000,
    provide: { thorough: true },
  },
};

/** The longest test files start first, so that no worker runs a long file at the end. After the first run, vitest knows the durations. */
const longest =
  /commands\/(commands|backup|upgrade)|src\/(run|damaged-installation)|ingest\/(kill|faults)|analytics\/analytics|retention\/retention|otlp\/(hostile|bounds)|traces\/large-traces|record\/faults|integrations\/(frameworks|databases|endings|loaders\/(typescript|bundled))/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Packages whose tests run in `npm test`. */
const ROOTS = [
  'packages/contract',
  'packages/sdk',
  'packages/testkit',
  'apps/server',
  'apps/dashboard',
  'apps/demo',
  'integrations',
  'scripts',
  'bench',
];
const integrationTests = findIntegrationTests(import.meta.dirname, ROOTS);

/** Returns a project's tests that start a process or a store, as paths relative to the project's folder. */
function listIntegrationTests({ test }: ReturnType<typeof project>): string[] {
  return integrationTests
    .filter((path) => path.startsWith(`${test.root}/`))
    .map((path) => relative(test.root, path));
}

const unitTestsOnly = (given: ReturnType<typeof project>) => ({
  ...given,
  test: { ...given.test, exclude: [...given.test.exclude, ...listIntegrationTests(given)] },
});
const integrationTestsOnly = (given: ReturnType<typeof project>) => ({
  ...given,
  test: { ...given.test, include: listIntegrationTests(given) },
});

/** The SDK's unit tests leave no state in their process. The other tests of the SDK change modules of Node for the whole process. */
const sdk = tidy(unitTestsOnly(project('sdk', 'packages/sdk')));
const sdkProcesses = integrationTestsOnly(project('sdk-processes', 'packages/sdk'));
const projects = [
  tidy(project('contract', 'packages/contract')),
  sdk,
  project('testkit', 'packages/testkit'),
  withPglite(tidy(project('server', 'apps/server'))),
  withPglite(tidy(project('dashboard', 'apps/dashboard'))),
  withPglite(project('demo', 'apps/demo')),
  tidy(project('integrations', 'integrations')),
  project('scripts', 'scripts'),
  project('bench', 'bench'),
];

/** The projects that run in each mode. */
const MODES: Readonly<Record<string, () => TestProjectConfiguration[]>> = {
  long: () => [long],
  wire: () => [overTheWire(['**/*.test.ts'])],
  // Runs published services under the SDK.
  real: () => [
    {
      ...shared,
      test: {
        ...project('real', 'integrations/real').test,
        include: ['**/*.long.test.ts'],
        exclude: NO_TESTS,
        testTimeout: 300_000,
        hookTimeout: 600_000,
      },
    },
  ],
  // `npm run test:unit` uses this mode.
  unit: () => projects.map(unitTestsOnly),
};

export default defineConfig(({ mode }) => ({
  ...shared,
  test: {
    sequence: { sequencer: LongestFirst },
    // More workers than vitest's default, since most tests wait for a child process or a store.
    maxWorkers: 4,
    projects: MODES[mode]?.() ?? [...projects, sdkProcesses, someOverTheWire],
  },
}));
