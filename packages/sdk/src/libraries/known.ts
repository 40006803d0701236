import type { LibraryFiles } from './watch-loads.ts';

/** Libraries that an OpenTelemetry instrumentation covers; the file `instrumentations/NAME.ts` uses the instrumentation. */
export const instrumented = {
  amqplib: {
    amqplib: ['lib/channel_model.js', 'lib/callback_model.js', 'lib/connect.js'],
  },
  ioredis: { ioredis: ['built/index.js'] },
  kafkajs: { kafkajs: ['index.js', 'src/producer/index.js', 'src/consumer/index.js'] },
  knex: {
    knex: [
      'lib/client.js',
      'lib/runner.js',
      'lib/execution/runner.js',
      'src/client.js',
      'src/runner.js',
      'lib/dialects/better-sqlite3/index.js',
      'lib/dialects/cockroachdb/index.js',
      'lib/dialects/mssql/index.js',
      'lib/dialects/mysql/index.js',
      'lib/dialects/mysql2/index.js',
      'lib/dialects/oracledb/index.js',
      'lib/dialects/pgnative/index.js',
      'lib/dialects/postgres/index.js',
      'lib/dialects/redshift/index.js',
      'lib/dialects/sqlite3/index.js',
    ],
  },
  mongodb: {
    mongodb: [
      'lib/core/wireprotocol/index.js',
      'lib/cmap/connection.js',
      'lib/cmap/connection_pool.js',
      'lib/cmap/connect.js',
      'lib/sessions.js',
    ],
  },
  mysql2: {
    mysql2: ['index.js', 'promise.js', 'lib/connection.js', 'lib/pool.js', 'lib/base/pool.js'],
  },
  pg: {
    pg: ['lib/index.js', 'lib/client.js', 'lib/native/client.js'],
    'pg-pool': ['index.js'],
  },
  redis: {
    redis: ['index.js'],
    '@redis/client': listRedisClientFiles(),
    '@node-redis/client': listRedisClientFiles(),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export type Instrumented = keyof typeof instrumented;

/** For each library whose main file is patched: the path of that file. Callers get this file if they require the library by name. */
export const mainFiles: Readonly<Record<string, string>> = {
  ioredis: 'built/index.js',
  kafkajs: 'index.js',
  mysql2: 'index.js',
  pg: 'lib/index.js',
  'pg-pool': 'index.js',
  redis: 'index.js',
};

/**
 * Libraries whose loading is observed although no instrumentation covers them: HTTP clients, for which only `propagation.on` is set, and
 * libraries that the SDK patches itself.
 */
const between = {
  axios: ['index.js', 'dist/node/axios.cjs'],
  undici: ['index.js'],
  'node-fetch': ['lib/index.js'],
  got: ['dist/source/index.js'],
  superagent: ['lib/node/index.js'],
  bluebird: ['js/release/bluebird.js', 'js/main/bluebird.js'],
  mongoose: ['lib/query.js', 'lib/aggregate.js'],
  bullmq: ['dist/cjs/classes/queue.js'],
  winston: ['lib/winston/logger.js'],
  '@opentelemetry/api': ['build/src/index.js'],
} as const;

/** All files whose loading is watched, by library. */
export const libraryFiles: LibraryFiles = new Map(
  [...Object.values(instrumented), between].flatMap((libraries) =>
    Object.entries(libraries).map(([name, files]): [string, Set<string>] => [name, new Set<string>(files)]),
  ),
);

export function findInstrumentation(library: string): Instrumented | undefined {
  return names.find((name) => library in instrumented[name]);
}

const names = Object.keys(instrumented).filter((name): name is Instrumented => name in instrumented);

function listRedisClientFiles() {
  return [
    'dist/lib/commander.js',
    'dist/lib/client/index.js',
    'dist/lib/client/multi-command.js',
    'dist/lib/cluster/index.js',
    'dist/lib/cluster/multi-command.js',
  ] as const;
}
