import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Node resolves workspace packages to their TypeScript source under the "source" condition; so do the tests. */
// Not 'import': vitest hands the list to Node, where it would hold for `require` too. Both add it themselves for imports.
const conditions = ['source', 'node', 'default'];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

const project = (name: string, root: string) => ({
  ...shared,
  test: {
    name,
    root,
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**', '**/*.long.test.ts'],
    pool: 'forks' as const,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

const server = project('server-on-postgres', 'apps/server');
/** All that people do, once more on the store that several servers share. */
const peopleOnPostgres = {
  ...server,
  test: {
    ...server.test,
    include: ['src/features/{account,audit,auth,invitations,orgs,two-factor}/*.test.ts', 'src/roles.test.ts'],
    // These begin their own PostgreSQL, or need no store.
    exclude: [...server.test.exclude, '**/session-watch.test.ts', '**/login-throttle.test.ts'],
    globalSetup: [join(import.meta.dirname, 'packages/testkit/src/served-postgres.ts')],
  },
};

export default defineConfig({
  ...shared,
  test: {
    // Its own choice leaves a processor idle, and most tests wait for a child process or a store.
    maxWorkers: 2,
    projects: [
      project('contract', 'packages/contract'),
      project('sdk', 'packages/sdk'),
      project('testkit', 'packages/testkit'),
      project('server', 'apps/server'),
      peopleOnPostgres,
      project('dashboard', 'apps/dashboard'),
      project('demo', 'apps/demo'),
      project('integrations', 'integrations'),
      project('scripts', 'scripts'),
      project('bench', 'bench'),
    ],
  },
});
