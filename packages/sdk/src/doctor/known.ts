interface Known {
  readonly kind: 'framework' | 'library' | 'bundler';
  /** Supported major versions, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly says: string;
  /** False if the SDK creates no steps for the package. */
  readonly traced?: false;
}

const layers = 'middleware and handlers are recorded as steps, requests show the route';
const queries = 'each query is recorded as a step';
const operations = 'operations and resolvers are recorded as steps, the route names the operation';
const commands = 'each command is recorded as a step';
const messages = 'each sent message is recorded as a step';
const requests = 'each request to another server is recorded as a step';
const lines = 'each log line is recorded as a step if the option logs is on';

const describeFramework = (from: number, to: number, says = layers): Known => ({
  kind: 'framework',
  from,
  to,
  says,
});
const describeLibrary = (from: number, to: number, says: string): Known => ({
  kind: 'library',
  from,
  to,
  says,
});
const describeUntraced = (calls: string): Known => ({
  kind: 'library',
  from: 0,
  to: 999,
  traced: false,
  says: `${calls} are not recorded. To record one as a step, wrap the call in step(), or add an OpenTelemetry instrumentation`,
});
const bundler: Known = {
  kind: 'bundler',
  from: 0,
  to: 999,
  says: 'if it bundles the service, add @throughline/node/plugin: functions that the plugin does not instrument are not traced',
};

/** Packages about which the doctor has information, by the name in their package.json. */
export const known: ReadonlyMap<string, Known> = new Map([
  ['express', describeFramework(4, 5)],
  ['connect', describeFramework(3, 3)],
  ['fastify', describeFramework(5, 5, 'hooks and handlers are recorded as steps, requests show the route')],
  ['koa', describeFramework(2, 3)],
  [
    '@hapi/hapi',
    describeFramework(21, 21, 'extensions and handlers are recorded as steps, requests show the route'),
  ],
  ['hono', describeFramework(4, 4)],
  [
    '@nestjs/core',
    describeFramework(
      11,
      12,
      'guards, interceptors, pipes and handlers are recorded as steps, requests show the route',
    ),
  ],
  ['graphql', describeLibrary(15, 17, operations)],
  ['@graphql-tools/executor', describeLibrary(1, 4, operations)],
  ['graphql-jit', describeLibrary(0, 0, operations)],
  ['@prisma/client', describeLibrary(4, 7, queries)],
  ['knex', describeLibrary(0, 3, queries)],
  ['mongodb', describeLibrary(3, 7, commands)],
  ['mysql', describeLibrary(2, 2, queries)],
  ['mysql2', describeLibrary(1, 3, queries)],
  ['pg', describeLibrary(8, 8, queries)],
  ['postgres', describeLibrary(3, 3, queries)],
  ['better-sqlite3', describeLibrary(7, 13, queries)],
  ['sqlite3', describeLibrary(5, 6, queries)],
  ['ioredis', describeLibrary(2, 6, commands)],
  ['redis', describeLibrary(2, 6, commands)],
  ['amqplib', describeLibrary(0, 2, messages)],
  ['bullmq', describeLibrary(4, 6, messages)],
  ['kafkajs', describeLibrary(0, 2, messages)],
  ['axios', describeLibrary(0, 1, requests)],
  ['got', describeLibrary(11, 15, requests)],
  ['node-fetch', describeLibrary(2, 3, requests)],
  ['superagent', describeLibrary(8, 10, requests)],
  ['undici', describeLibrary(5, 8, requests)],
  ['pino', describeLibrary(9, 10, lines)],
  ['winston', describeLibrary(3, 3, lines)],
  ['@opentelemetry/api', describeLibrary(1, 1, 'each span is recorded as a step')],
  ...[
    'mariadb',
    'mssql',
    'oracledb',
    'sql.js',
    '@libsql/client',
    '@neondatabase/serverless',
    '@planetscale/database',
  ].map((name): [string, Known] => [name, describeUntraced('queries')]),
  ...[
    'cassandra-driver',
    'neo4j-driver',
    'couchbase',
    'nano',
    '@elastic/elasticsearch',
    '@opensearch-project/opensearch',
  ].map((name): [string, Known] => [name, describeUntraced('queries')]),
  ...['memcached', 'memjs'].map((name): [string, Known] => [name, describeUntraced('commands')]),
  ...['nats', 'mqtt', '@aws-sdk/client-sqs'].map((name): [string, Known] => [
    name,
    describeUntraced('sent messages'),
  ]),
  ['esbuild', bundler],
  ['rolldown', bundler],
  ['rollup', bundler],
  ['rspack', bundler],
  ['tsup', bundler],
  ['vite', bundler],
  ['webpack', bundler],
]);
