import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { startPostgres, type TestPostgres } from '@throughline/testkit/postgres';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import type { SmallServer } from './harness/servers/listen.ts';
import { startMongo } from './harness/servers/mongo.ts';
import { startMysql } from './harness/servers/mysql.ts';
import { startRedis } from './harness/servers/redis.ts';

const collector = new Collector();
let postgres: TestPostgres;
let small: SmallServer[];
let app: App;
let url: string;
let collectorAddress: string;
let addresses: { readonly [name: string]: string };

/** A span as received by the host's own exporter. */
interface HostSpan {
  readonly name: string;
  readonly traceId: string;
}

beforeAll(async () => {
  const [real, mysql, redis, mongo] = await Promise.all([
    startPostgres(),
    startMysql(),
    startRedis(),
    startMongo(),
  ]);
  postgres = real;
  small = [mysql, redis, mongo];
  collectorAddress = await collector.start();
  addresses = {
    MYSQL: `mysql://root:secret@127.0.0.1:${mysql.port}/shop`,
    REDIS: `redis://127.0.0.1:${redis.port}`,
    MONGO: `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`,
  };
  app = new App('databases/app.js', {
    collector: collectorAddress,
    env: { ...addresses, POSTGRES: await postgres.createDatabase('shop') },
  });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop('SIGKILL');
  for (const server of small) server.stop();
  await postgres.stop();
  await collector.stop();
});

const kinds = new Set(['database', 'cache']);

async function ask(path: string): Promise<{ trace: PostedTrace; work: PostedStep[]; answer: string }> {
  const answer = await (await fetch(url + path)).text();
  const trace = await collector.trace(path);
  return { trace, answer, work: trace.flow.filter(({ stepType }) => kinds.has(stepType)) };
}

function parentName(trace: PostedTrace, { parentStepId }: PostedStep): string | undefined {
  return trace.flow.find(({ stepId }) => stepId === parentStepId)?.stepName;
}

describe('PostgreSQL, by pg', () => {
  test('a query through a pool is shown without literals; if a literal mentions a secret, the bound values are shown only by type', async () => {
    const { trace, work, answer } = await ask('/pool');
    expect(answer).toBe('{"name":"ada"}');
    expect(work).toHaveLength(1);
    const [query] = work;
    expect(query).toMatchObject({
      stepName: 'SELECT users',
      stepType: 'database',
      inputs: {
        statement: 'SELECT name FROM users WHERE id = $1 AND note <> ?',
        values: [{ $type: 'redacted', of: 'number' }],
      },
      outputs: { rows: 1 },
      metadata: { 'db.system.name': 'postgresql', 'server.address': '127.0.0.1' },
    });
    if (query !== undefined) expect(parentName(trace, query)).toBe('findUser');
    expect(query?.duration).toBeGreaterThan(0);
    expect(JSON.stringify(query)).not.toContain('secret');
  });

  test('each statement of a transaction is a step, in order', async () => {
    const { work, trace } = await ask('/transaction');
    expect(work.map(({ stepName }) => stepName)).toEqual(['BEGIN', 'UPDATE users', 'COMMIT']);
    expect(work.map((step) => parentName(trace, step))).toEqual(['transfer', 'transfer', 'transfer']);
    expect(work[1]).toMatchObject({
      inputs: { values: ['hunter2', 7] },
      outputs: { rows: 1 },
    });
  });

  test.runIf(isThorough())('a query with a callback is a step of its request', async () => {
    const { work, answer } = await ask('/callback');
    expect(answer).toBe('1');
    expect(work.map(({ stepName }) => stepName)).toEqual(['SELECT users']);
  });

  test('a failed query shows its error, and the host gets the same error', async () => {
    const { work, answer } = await ask('/wrong-table');
    expect(answer).toBe('relation "nothing_there" does not exist');
    expect(work[0]).toMatchObject({
      stepName: 'SELECT nothing_there',
      error: { message: 'relation "nothing_there" does not exist' },
    });
  });
});

test('a knex query is one step with the SQL that the driver receives and the number of rows', async () => {
  const { trace, work, answer } = await ask('/knex');
  expect(answer).toBe('{"name":"ada"}');
  // On a new connection, the client first requests the server's version.
  const [query, ...others] = work.filter(({ stepName }) => stepName === 'SELECT users');
  expect(others).toEqual([]);
  expect(query).toMatchObject({
    stepName: 'SELECT users',
    inputs: {
      statement: 'select "name" from "users" where "id" = $1 limit $2',
      values: [7, 1],
    },
    outputs: { rows: 1, firstRows: [{ name: 'ada' }] },
    metadata: {
      tracer: '@opentelemetry/instrumentation-knex',
      'db.system.name': 'postgresql',
      'server.address': '127.0.0.1',
      driverMs: expect.any(Number),
    },
  });
  if (query !== undefined) expect(parentName(trace, query)).toBe('findWithKnex');
  // The function returns the query without waiting for it.
  const found = trace.flow.find(({ stepName }) => stepName === 'findWithKnex');
  expect(found?.outputs).toEqual({ name: 'ada' });
  expect((found?.endTime ?? '') >= (query?.endTime ?? 'none')).toBe(true);
});

test('a Prisma operation is one step with the SQL for PostgreSQL', async () => {
  const { trace, work, answer } = await ask('/prisma');
  expect(answer).toBe('[{"id":7,"name":"ada"}]');
  expect(work).toHaveLength(1);
  const [operation] = work;
  expect(operation).toMatchObject({
    stepName: 'User.findMany',
    stepType: 'database',
    inputs: {
      statement: expect.stringMatching(/^SELECT .* FROM "public"."users" WHERE/),
      values: ['private', 7, '0'],
    },
    outputs: { rows: 1 },
    metadata: {
      'db.operation.name': 'User.findMany',
      'db.system.name': 'postgresql',
      'server.address': '127.0.0.1',
      model: 'User',
      method: 'findMany',
    },
  });
  if (operation !== undefined) expect(parentName(trace, operation)).toBe('findWithPrisma');
  // Prisma starts a query when the query is first awaited: here by the async function that returns it.
  const handed = await ask('/prisma-handed-on');
  expect(handed.answer).toBe('1');
  expect(handed.work.map(({ stepName }) => stepName)).toEqual(['User.count']);
  if (handed.work[0] !== undefined) expect(parentName(handed.trace, handed.work[0])).toBe('countWithPrisma');
  const failed = await ask('/prisma-wrong');
  expect(failed.answer).toContain('Unknown argument');
  expect(failed.work[0]?.error?.message).toContain('Unknown argument');
});

test('a mysql2 query is a step with its SQL, masked literals and the number of rows', async () => {
  const { trace, work, answer } = await ask('/mysql');
  expect(answer).toBe('[{"id":"7"}]');
  expect(work).toHaveLength(1);
  expect(work[0]).toMatchObject({
    stepName: 'SELECT orders',
    stepType: 'database',
    inputs: { statement: 'SELECT * FROM `orders` WHERE id = ? AND note = ?' },
    outputs: { rows: 1 },
    metadata: { 'db.system.name': 'mysql' },
  });
  if (work[0] !== undefined) expect(parentName(trace, work[0])).toBe('findInMysql');
  const failed = await ask('/mysql-wrong');
  expect(failed.work[0]?.error?.message).toContain('You have an error in your SQL syntax');
});

test.each([
  ['ioredis', '/ioredis', 'cacheWithIoredis', 'session:7'],
  ['redis', '/redis', 'cacheWithRedis', 'cart:7'],
])('Redis commands of %s are shown with their keys and without values', async (_, path, caller, key) => {
  const { trace, work, answer } = await ask(path);
  expect(answer).toBe('"hunter2"');
  const commands = work.filter(({ stepName }) => stepName === 'SET' || stepName === 'GET');
  expect(commands.map(({ stepName }) => stepName)).toEqual(['SET', 'GET']);
  for (const command of commands) {
    expect(command).toMatchObject({ stepType: 'cache', inputs: { command: expect.stringContaining(key) } });
    expect(parentName(trace, command)).toBe(caller);
  }
  expect(JSON.stringify(commands)).not.toContain('hunter2');
});

test('a MongoDB command is a step below its caller, and shows no values', async () => {
  const { trace, work, answer } = await ask('/mongo');
  expect(answer).toBe('[{"_id":1,"total":3}]');
  const find = work.find(({ stepName }) => stepName.includes('find'));
  expect(find).toMatchObject({ stepType: 'database', metadata: { 'db.system.name': 'mongodb' } });
  if (find !== undefined) expect(parentName(trace, find)).toBe('findInMongo');
  expect(JSON.stringify(find)).not.toContain('hunter2');
});

test('each of several concurrent operations is below its own caller', async () => {
  await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/together`)).text()));
  const traces = await collector.awaitTraces('/together', 20);
  for (const trace of traces) {
    const pairs = trace.flow
      .filter(({ stepType }) => kinds.has(stepType))
      .map((step) => `${parentName(trace, step)} > ${step.stepName}`);
    expect(pairs.filter((pair) => pair.startsWith('findUser >'))).toEqual(['findUser > SELECT users']);
    expect(pairs.filter((pair) => pair.startsWith('findWithKnex >'))).toHaveLength(2);
    expect(pairs.filter((pair) => pair.startsWith('SELECT users >'))).toHaveLength(0);
    expect(pairs.filter((pair) => pair.startsWith('new Promise() callback >'))).toHaveLength(1);
    expect(pairs.filter((pair) => pair.startsWith('cacheWithIoredis >'))).toHaveLength(2);
    expect(pairs.filter((pair) => pair.startsWith('cacheWithRedis >'))).toHaveLength(2);
    expect(pairs.filter((pair) => pair.startsWith('findInMysql >'))).toHaveLength(1);
    expect(pairs.filter((pair) => pair.startsWith('findInMongo >'))).toHaveLength(1);
  }
});

test('the SDK writes nothing to stderr', () => {
  expect(app.stderr).toBe('');
});

test.runIf(isThorough()).each([
  ['first', ['--require', './otel-sdk.cjs', '--import', '@throughline/node/auto']],
  ['second', ['--import', '@throughline/node/auto', '--import', './otel-sdk.cjs']],
])(
  "each query is one step, and one span of the host's own pg instrumentation, which is loaded %s",
  async (order, flags) => {
    const other = new Collector();
    const both = new App('databases/app.js', {
      collector: await other.start(),
      flags,
      env: {
        ...addresses,
        POSTGRES: await postgres.createDatabase(`both_${order}`),
      },
    });
    const address = await both.ready();
    await (await fetch(`${address}/pool`)).text();
    const trace = await other.trace('/pool');
    const work = trace.flow.filter(({ stepType }) => stepType === 'database');
    expect(work).toHaveLength(1);
    expect(work[0]).toMatchObject({
      stepName: 'SELECT users',
      inputs: { statement: 'SELECT name FROM users WHERE id = $1 AND note <> ?' },
    });
    const spans: HostSpan[] = JSON.parse(await (await fetch(`${address}/host-spans`)).text());
    const own = spans.filter(({ traceId }) => traceId === trace.traceId).map(({ name }) => name);
    expect(own.filter((name) => name.startsWith('pg.query:SELECT'))).toHaveLength(1);
    expect(both.stderr).toBe('');
    await both.stop('SIGKILL');
    await other.stop();
  },
);
