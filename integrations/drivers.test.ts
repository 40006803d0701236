import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { startPostgres, type TestPostgres } from '@throughline/testkit/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { nativeDriver } from './harness/native-drivers.ts';
import type { SmallServer } from './harness/servers/listen.ts';
import { startMysql } from './harness/servers/mysql.ts';

const collector = new Collector();
const betterSqlite3 = nativeDriver('better-sqlite3');
const sqlite3 = nativeDriver('sqlite3');
let postgres: TestPostgres;
let mysql: SmallServer;
let app: App;
let url: string;

beforeAll(async () => {
  [postgres, mysql] = await Promise.all([startPostgres(), startMysql()]);
  app = new App('drivers/app.js', {
    collector: await collector.start(),
    env: {
      POSTGRES: await postgres.createDatabase('drivers'),
      MYSQL: `mysql://root:secret@127.0.0.1:${mysql.port}/shop`,
      ...(betterSqlite3 !== undefined && { BETTER_SQLITE3: betterSqlite3 }),
      ...(sqlite3 !== undefined && { SQLITE3: sqlite3 }),
    },
  });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop('SIGKILL');
  mysql.stop();
  await postgres.stop();
  await collector.stop();
});

async function ask(path: string): Promise<{ answer: string; trace: PostedTrace; queries: PostedStep[] }> {
  const answer = await (await fetch(url + path)).text();
  const trace = await collector.trace(path);
  return { answer, trace, queries: trace.flow.filter(({ stepType }) => stepType === 'database') };
}

function parentName(trace: PostedTrace, step: PostedStep | undefined): string | undefined {
  return trace.flow.find(({ stepId }) => stepId === step?.parentStepId)?.stepName;
}

describe('postgres.js', () => {
  test.each([
    ['imported', '/user', 'findUser'],
    ['required', '/user-required', 'findUserRequired'],
  ])('%s: a query is a step below the function that awaits the query', async (_way, path, caller) => {
    const { answer, trace, queries } = await ask(path);
    expect(answer).toBe('"ada"');
    expect(queries).toHaveLength(1);
    expect(queries[0]).toMatchObject({
      stepName: 'SELECT users',
      inputs: {
        statement: 'SELECT name FROM users WHERE id = $1',
        values: [7],
      },
      outputs: { rows: 1 },
      metadata: { 'db.system.name': 'postgresql' },
    });
    expect(parentName(trace, queries[0])).toBe(caller);
    const parent = trace.flow.find(({ stepName }) => stepName === caller);
    expect(parent?.duration).toBeGreaterThanOrEqual(queries[0]?.duration ?? Number.POSITIVE_INFINITY);
  });

  test('each statement of a transaction is a step, without the secret that is bound to it', async () => {
    const { queries } = await ask('/transaction');
    expect(queries.map(({ stepName }) => stepName)).toEqual(['BEGIN', 'UPDATE users', 'COMMIT']);
    expect(JSON.stringify(queries)).not.toContain('hunter2');
  });

  test("a cursor's query is one step, and the cursor returns all of its pages", async () => {
    const { answer, queries } = await ask('/cursor');
    expect(answer).toBe('["ada","bob"]');
    expect(queries).toHaveLength(1);
    expect(queries[0]).not.toHaveProperty('metadata.unfinished');
  });

  test('a query that fails is a failed step with the server’s error', async () => {
    const { answer, queries } = await ask('/nothing');
    expect(answer).toContain('nothing_there');
    expect(queries[0]?.error).toMatchObject({ name: 'PostgresError', code: '42P01' });
  });
});

describe('mysql', () => {
  test('a query through a pool is a step below the function that sent the query', async () => {
    const { answer, trace, queries } = await ask('/mysql');
    expect(answer).toContain('"id":"7"');
    expect(queries).toHaveLength(1);
    expect(queries[0]).toMatchObject({
      stepName: 'SELECT orders',
      inputs: { statement: 'SELECT * FROM `orders` WHERE id = ?' },
      metadata: { 'db.system.name': 'mysql' },
    });
    expect(parentName(trace, queries[0])).toBe('findInMysql');
  });

  test('a query that fails is a failed step', async () => {
    const { queries } = await ask('/mysql-broken');
    expect(queries[0]?.error?.message).toContain('SQL syntax');
  });
});

const hasNodeSqlite = !(process.env.INTEGRATIONS_NODE ?? '').includes('/20.');
describe.each([
  ['node', 'node:sqlite', hasNodeSqlite],
  ['better', 'better-sqlite3', betterSqlite3 !== undefined],
])('%s', (name, driver, isThere) => {
  test.runIf(isThere)('each run of a statement is a step below the function that ran it', async () => {
    const saved = await ask(`/${name}/save`);
    expect(saved.answer).toBe('1');
    expect(saved.queries).toHaveLength(1);
    expect(saved.queries[0]).toMatchObject({
      stepName: 'INSERT users',
      inputs: {
        statement: 'INSERT INTO users (name, password) VALUES (?, ?)',
        values: [
          { $type: 'redacted', of: 'string' },
          { $type: 'redacted', of: 'string' },
        ],
      },
      outputs: { rows: 1 },
      metadata: { 'db.system.name': 'sqlite', tracer: driver },
    });
    expect(parentName(saved.trace, saved.queries[0])).toBe('save');
    expect(JSON.stringify(saved.queries)).not.toContain('hunter2');
    const found = await ask(`/${name}/find`);
    expect(found.answer).toBe('"ada"');
    expect(found.queries.map(({ outputs }) => outputs)).toMatchObject([{ rows: 1 }]);
    const listed = await ask(`/${name}/list`);
    expect(listed.queries.map(({ stepName }) => stepName)).toEqual(['SELECT users']);
  });

  test.runIf(isThere)('a statement that fails is a failed step', async () => {
    const { queries, answer } = await ask(`/${name}/fail`);
    expect(queries[0]?.error?.message).toBe(answer);
  });
});

describe('sqlite3', () => {
  test.runIf(sqlite3)('a query on a Database is one step below the function that made it', async () => {
    const { answer, trace, queries } = await ask('/sqlite3');
    expect(answer).toBe('2');
    expect(queries).toHaveLength(1);
    expect(queries[0]).toMatchObject({ inputs: { statement: 'SELECT ? + ? AS n' } });
    expect(parentName(trace, queries[0])).toBe('countBySqlite3');
  });

  test.runIf(sqlite3)('a run of a prepared statement is a step', async () => {
    const { answer, queries } = await ask('/sqlite3-prepared');
    expect(answer).toBe('1');
    expect(queries.map(({ outputs }) => outputs)).toEqual([{ rows: 1 }]);
  });

  test.runIf(sqlite3)('a query that cannot be prepared is a failed step', async () => {
    const { queries } = await ask('/sqlite3-fails');
    expect(queries).toHaveLength(1);
    expect(queries[0]?.error?.message).toContain('no such table');
  });
});
