import { routes } from '@throughline/contract';
import { makeProject, type Person, signUp, startServer, type TestServer } from '@throughline/testkit';
import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { startPostgres, type TestPostgres } from '@throughline/testkit/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { nativeDriver } from './harness/native-drivers.ts';
import type { SmallServer } from './harness/servers/listen.ts';
import { startMysql } from './harness/servers/mysql.ts';

const betterSqlite3 = nativeDriver('better-sqlite3');
const sqlite3 = nativeDriver('sqlite3');
const hasNodeSqlite = !(process.env.INTEGRATIONS_NODE ?? '').includes('/20.');
const collector = new Collector();
const apps: App[] = [];
let postgres: TestPostgres;
let mysql: SmallServer;
let server: TestServer;
let person: Person;
/** URLs of the same app: with the SDK and a collector, without the SDK, without values, and with a real server. */
let traced: string;
let plain: string;
let structure: string;
let stored: string;

beforeAll(async () => {
  [postgres, mysql, server] = await Promise.all([startPostgres(), startMysql(), startServer()]);
  person = await signUp(server);
  const { apiKey } = await makeProject(person);
  const address = await collector.start();
  [traced, plain, structure, stored] = await Promise.all([
    start('traced', address),
    start('plain', undefined),
    start('structure', address, { THROUGHLINE_CAPTURE: 'structure' }),
    start('stored', server.url, { THROUGHLINE_API_KEY: apiKey }),
  ]);
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.stop('SIGKILL')));
  mysql.stop();
  await Promise.all([postgres.stop(), server.stop(), collector.stop()]);
});

async function start(
  name: string,
  address: string | undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const app = new App('rows/app.js', {
    collector: address,
    env: {
      POSTGRES: await postgres.createDatabase(`rows_${name}`),
      MYSQL: `mysql://root:secret@127.0.0.1:${mysql.port}/shop`,
      ...(betterSqlite3 !== undefined && { BETTER_SQLITE3: betterSqlite3 }),
      ...(sqlite3 !== undefined && { SQLITE3: sqlite3 }),
      ...env,
    },
  });
  apps.push(app);
  return await app.ready();
}

async function read(url: string): Promise<string> {
  const response = await fetch(url);
  return `${response.status} ${await response.text()}`;
}

/** Sends a request. Returns the step of the driver's query, and the whole trace. */
async function ask(
  path: string,
  url = traced,
): Promise<{ query: PostedStep | undefined; trace: PostedTrace }> {
  await read(url + path);
  const trace = await collector.trace(path);
  return { query: trace.flow.find(({ stepName }) => /^SELECT (?:customers|orders)$/.test(stepName)), trace };
}

const customer = (at: number) => ({
  id: at + 1,
  name: `Grace Hopper ${4711 + at}`,
  note: 'n'.repeat(150),
  password: { $type: 'redacted', of: 'string' },
});

/** Drivers with the same table of customers. */
const drivers: readonly (readonly [name: string, isThere: boolean])[] = [
  ['pg', true],
  ['knex', true],
  ['postgresjs', true],
  ['node', hasNodeSqlite],
  ['better', betterSqlite3 !== undefined],
  ['sqlite3', sqlite3 !== undefined],
];

test('each driver returns and throws the same with the SDK as without it', async () => {
  const known: readonly [string, string[]][] = JSON.parse(await (await fetch(`${plain}/drivers`)).text());
  expect(known.length).toBeGreaterThanOrEqual(5);
  for (const [driver, does] of known) {
    for (const what of does) {
      // A second request runs the same prepared statements again.
      for (let repeat = 0; repeat < 2; repeat++) {
        const path = `/${driver}/${what}`;
        expect(`${path} ${await read(traced + path)}`).toBe(`${path} ${await read(plain + path)}`);
      }
    }
  }
});

describe.each(drivers)('a query of %s', (driver, isThere) => {
  test.runIf(isThere)('shows the first rows that it returned, with their values at that time', async () => {
    const { query } = await ask(`/${driver}/list`);
    expect(query?.outputs).toMatchObject({ rows: 60, firstRows: [0, 1, 2, 3, 4].map(customer) });
  });

  test.runIf(isThere)('shows a single row', async () => {
    const { query, trace } = await ask(`/${driver}/first`);
    expect(query?.outputs).toMatchObject({ rows: 1, firstRows: [customer(0)] });
    expect(trace.flow.find(({ stepName }) => stepName === 'load')?.outputs).toMatchObject(customer(0));
  });

  test.runIf(isThere)('shows the values that are bound to it', async () => {
    const { query } = await ask(`/${driver}/find`);
    const { values } = readObject(query?.inputs);
    expect(Array.isArray(values) && values.slice(0, 2)).toEqual([7, 'gold']);
    expect(query?.outputs).toMatchObject({ firstRows: [customer(6)] });
  });

  test.runIf(isThere)('shows neither bound values nor rows if the statement compares a secret', async () => {
    const { query, trace } = await ask(`/${driver}/login`);
    expect(JSON.stringify(query?.inputs)).not.toContain('7');
    expect(query?.outputs).toEqual({ rows: 1 });
    expect(JSON.stringify(trace)).not.toContain('hunter2');
  });

  test.runIf(isThere)('shows no rows if values are not captured', async () => {
    const { query } = await ask(`/${driver}/first/structure`, structure);
    expect(query).toBeDefined();
    expect(query).not.toHaveProperty('outputs');
  });

  test.runIf(isThere)('is found as the origin of a value that one of its rows contains', async () => {
    expect(await read(`${stored}/${driver}/greet`)).toMatch(/^200 Hello Grace Hopper 4711$/);
    let id = '';
    await expect
      .poll(
        async () => {
          const { traces } = await person.client.call(routes.traces.list, {
            query: { q: `/${driver}/greet` },
          });
          id = traces[0]?._id ?? '';
          return id;
        },
        { timeout: 20_000 },
      )
      .not.toBe('');
    const { trace } = await person.client.call(routes.traces.read, { params: { id } });
    const greet = trace.flow.find(({ stepName }) => stepName === 'greet');
    const { origin } = await person.client.call(routes.traces.valueOrigin, {
      params: { id },
      query: { stepId: greet?.stepId ?? '', place: 'inputs', path: '["name"]' },
    });
    expect(origin.origin).toMatch(/^`name` came from row 1 of `SELECT customers`, column `name`$/);
  });
});

test.each(['mysql', 'mysql2'])(
  'a query of %s shows its rows and the values that are bound to it',
  async (driver) => {
    const { query } = await ask(`/${driver}/list`);
    expect(JSON.stringify(query?.outputs)).toContain('"id":"7"');
    expect(query?.inputs).toMatchObject({ values: [7, 'gold'] });
  },
);

test('rows without the names of their columns are only counted', async () => {
  const { query } = await ask('/pg/cells');
  expect(query?.outputs).toEqual({ rows: 60 });
});

test('a query without rows shows the number of rows', async () => {
  const { query } = await ask('/pg/none');
  expect(query?.outputs).toEqual({ rows: 0 });
});

function readObject(value: unknown): { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`no object: ${JSON.stringify(value)}`);
  return { ...value };
}
