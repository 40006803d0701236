interface Known {
  readonly kind: 'framework' | 'library' | 'bundler';
  /** Supported major versions, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly says: string;
  /** False if the SDK recognizes the package but creates no steps for it. */
  readonly traced?: false;
}

const layers = 'middleware and handlers are steps, requests show the route';
const queries = 'queries are steps';
const operations = 'operations and their resolvers are steps, and operations are part of the route';
const commands = 'commands are steps';
const messages = 'sent messages are steps';
const requests = 'requests to other servers are steps';
const lines = 'log lines are steps if the option logs is on';

const framework = (from: number, to: number, says = layers): Known => ({ kind: 'framework', from, to, says });
const library = (from: number, to: number, says: string): Known => ({ kind: 'library', from, to, says });
const untraced = (calls: string): Known => ({
  kind: 'library',
  from: 0,
  to: 999,
  traced: false,
  says: `${calls} are not steps. To see a call, wrap the call in step(), or add an OpenTelemetry instrumentation`,
});
const bundler: Known = {
  kind: 'bundler',
  from: 0,
  to: 999,
  says: 'if it bundles the service, add @throughline/node/plugin: functions that the plugin does not instrument are not traced',
};

/** Packages that the SDK handles specially, by the name in their package.json. */
export const known: ReadonlyMap<string, Known> = new Map([
  ['express', framework(4, 5)],
  ['connect', framework(3, 3)],
  ['fastify', framework(5, 5, 'hooks and handlers are steps, requests show the route')],
  ['koa', framework(2, 3)],
  ['@hapi/hapi', framework(21, 21, 'extensions and handlers are steps, requests show the route')],
  ['hono', framework(4, 4)],
  [
    '@nestjs/core',
    framework(11, 12, 'guards, interceptors, pipes and handlers are steps, requests show the route'),
  ],
  ['graphql', library(15, 17, operations)],
  ['@graphql-tools/executor', library(1, 4, operations)],
  ['graphql-jit', library(0, 0, operations)],
  ['@prisma/client', library(4, 7, queries)],
  ['knex', library(0, 3, queries)],
  ['mongodb', library(3, 7, commands)],
  ['mysql', library(2, 2, queries)],
  ['mysql2', library(1, 3, queries)],
  ['pg', library(8, 8, queries)],
  ['postgres', library(3, 3, queries)],
  ['better-sqlite3', library(7, 13, queries)],
  ['sqlite3', library(5, 6, queries)],
  ['ioredis', library(2, 6, commands)],
  ['redis', library(2, 6, commands)],
  ['amqplib', library(0, 2, messages)],
  ['bullmq', library(4, 6, messages)],
  ['kafkajs', library(0, 2, messages)],
  ['axios', library(0, 1, requests)],
  ['got', library(11, 15, requests)],
  ['node-fetch', library(2, 3, requests)],
  ['superagent', library(8, 10, requests)],
  ['undici', library(5, 8, requests)],
  ['pino', library(9, 10, lines)],
  ['winston', library(3, 3, lines)],
  ['@opentelemetry/api', library(1, 1, 'spans are steps')],
  ...[
    'mariadb',
    'mssql',
    'oracledb',
    'sql.js',
    '@libsql/client',
    '@neondatabase/serverless',
    '@planetscale/database',
  ].map((name): [string, Known] => [name, untraced('queries')]),
  ...[
    'cassandra-driver',
    'neo4j-driver',
    'couchbase',
    'nano',
    '@elastic/elasticsearch',
    '@opensearch-project/opensearch',
  ].map((name): [string, Known] => [name, untraced('queries')]),
  ...['memcached', 'memjs'].map((name): [string, Known] => [name, untraced('commands')]),
  ...['nats', 'mqtt', '@aws-sdk/client-sqs'].map((name): [string, Known] => [
    name,
    untraced('sent messages'),
  ]),
  ['esbuild', bundler],
  ['rolldown', bundler],
  ['rollup', bundler],
  ['rspack', bundler],
  ['tsup', bundler],
  ['vite', bundler],
  ['webpack', bundler],
]);
