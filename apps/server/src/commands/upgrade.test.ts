import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, routes } from '@throughline/contract';
import { aTrace, putControlStore, runCommand, sendTraces, spawnServer } from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../features/auth/index.ts';
import { createRollups } from '../features/rollups/index.ts';
import { readConfig } from '../platform/config.ts';
import { openControlStore } from '../platform/control-store/index.ts';
import { createLog } from '../platform/log.ts';
import { createSealer, createSecret, hashToken } from '../platform/start/secrets.ts';
import { openStores } from '../platform/stores.ts';
import { hashOfName, hashOfPair, openTraceStore, timeOfTraceId } from '../platform/trace-store/index.ts';
import { readMigrations } from '../platform/trace-store/migrate.ts';

const USER = '01973000-0000-7000-8000-00000000000a';
const PROJECT = '01973000-0000-7000-8000-00000000000b';
const PASSWORD = 'correct horse';
const API_KEY = `tl_${'a'.repeat(40)}`;

let dataDir: string;
let id: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-upgrade-'));
  await putControlStore(dataDir);
  const time = Date.now().toString(16).padStart(12, '0');
  id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001`;
  await writeAccounts(dataDir);
  await writeTraces();
}, 120_000);
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Creates the control store of the server's first version in a folder, with a user, a subscription, a project and an API key. */
async function writeAccounts(folder: string) {
  const secretKey = createSecret(folder);
  const sealed = createSealer(secretKey, 'api-keys').seal(API_KEY, PROJECT);
  const { db, close } = await openControlStore(
    { databaseUrl: undefined, dataDir: folder },
    { upTo: '0000_first' },
  );
  const hash = await hashPassword(PASSWORD);
  await db.execute(
    sql`insert into users (id, name, email, password_hash, created_at) values (${USER}, 'Ada', 'ada@test.example', ${hash}, now())`,
  );
  await db.execute(sql`insert into subscriptions (id, user_id, plan, status, current_period_start, current_period_end)
    values (${USER}, ${USER}, 'free_trial', 'active', now(), now() + interval '7 days')`);
  await db.execute(
    sql`insert into projects (id, user_id, name, description, created_at) values (${PROJECT}, ${USER}, 'shop', '', now())`,
  );
  await db.execute(
    sql`insert into api_keys (id, project_id, key_hash, sealed_key, created_at) values (${PROJECT}, ${PROJECT}, ${hashToken(API_KEY)}, ${sealed}, now())`,
  );
  await close();
}

async function writeTraces() {
  const store = await openTraceStore({ clickhouse: undefined, dataDir }, { upTo: 1 });
  const idTime = timeOfTraceId(id);
  const at = `${Math.floor(Date.now() / 1000)}.000000`;
  const row = (columns: Readonly<Record<string, string | number>>) =>
    Buffer.from(`${Object.values(columns).join('\t')}\n`);
  const step = {
    project_id: PROJECT,
    trace_time_ms: idTime,
    trace: id,
    ordinal: 0,
    step_id: 's',
    name: 'charge',
    type: 'function',
    start_micros: Date.now() * 1000,
    duration_micros: 1500,
    captured: '{"inputs":{"amount":17}}',
    stored_at: at,
  };
  await store.insert('steps', Object.keys(step), row(step));
  const trace = {
    project_id: PROJECT,
    start_time: at,
    id,
    id_time_ms: idTime,
    trace_id: 'a'.repeat(32),
    method: 'GET',
    path: '/old',
    status_code: 200,
    duration_micros: 2500,
    service: 'shop',
    step_count: 1,
    request_body: '{"n":12345678901234567890}',
    stored_at: at,
  };
  await store.insert('traces', Object.keys(trace), row(trace));
  await store.close();
}

async function signedInAt(url: string): Promise<Client> {
  const anyone = createClient({ baseUrl: url, fetch, token: () => null });
  const signedIn = await anyone.call(routes.auth.login, {
    body: { email: 'ada@test.example', password: PASSWORD },
  });
  const token = 'token' in signedIn ? signedIn.token : '';
  return createClient({ baseUrl: url, fetch, token: () => token });
}

test.runIf(isThorough())(
  'a data folder of the first version can be backed up, restored and opened with all data',
  async () => {
    const file = join(dataDir, '..', `upgrade-${process.pid}.backup`);
    const target = `${dataDir}-restored`;
    try {
      expect(await runCommand(['backup', file], { dataDir })).toMatchObject({ code: 0, stderr: '' });
      expect(await runCommand(['restore', file], { dataDir: target })).toMatchObject({ code: 0, stderr: '' });
      for (const folder of [target, dataDir]) {
        const server = spawnServer({ dataDir: folder, env: { LOG_LEVEL: 'error' } });
        const url = await server.ready();
        const client = await signedInAt(url);
        expect(await client.call(routes.projects.apiKey, { params: { id: PROJECT } })).toEqual({
          apiKey: API_KEY,
        });
        const { traces } = await client.call(routes.traces.list, {});
        expect(traces.map(({ _id, request }) => [_id, request.path])).toEqual([[id, '/old']]);
        const answer = await client.open(routes.traces.raw, { params: { id } });
        const text = await answer.text();
        expect(text).toContain('12345678901234567890');
        expect(routes.traces.raw.answer.parse(JSON.parse(text)).trace.flow).toMatchObject([
          { stepId: 's', stepName: 'charge', duration: 1.5, inputs: { amount: 17 } },
        ]);
        expect(await server.kill('SIGTERM')).toBe(0);
      }
    } finally {
      await rm(file, { force: true });
      await rm(target, { recursive: true, force: true });
    }
  },
  180_000,
);

const JOURNAL = new URL('../platform/control-store/migrations/meta/_journal.json', import.meta.url);
const HOUR_MS = 3_600_000;

/** The id of the stored error: the hash of its service and its message. */
const ERROR = createHash('md5').update('shop\nno stock').digest('hex');

/** Creates both stores as the previous version had them, with usage counts, a decision about an error, rollups, attributes and spans. */
async function writePrevious(folder: string, startMs: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await putControlStore(folder);
  const { entries }: { readonly entries: readonly { readonly tag: string }[] } = JSON.parse(
    await readFile(JOURNAL, 'utf8'),
  );
  const before = entries.at(-2)?.tag ?? '';
  await writeAccounts(folder);
  const { db, close } = await openControlStore({ databaseUrl: undefined, dataDir: folder }, { upTo: before });
  await db.execute(
    sql`insert into usage_months (account_id, period_start, traces) select user_id, anchor_at, 3 from subscriptions`,
  );
  await db.execute(
    sql`insert into error_states (project_id, error_id, state, note, changed_by, changed_at, assignee)
      values (${PROJECT}, ${ERROR}, 'ignored', 'a known error', ${USER}, now(), ${USER})`,
  );
  await close();
  const { version = 0 } = (await readMigrations()).at(-2) ?? {};
  const store = await openTraceStore({ clickhouse: undefined, dataDir: folder }, { upTo: version });
  // The first trace has its attributes in columns, the second only in JSON, and the third consists of spans.
  const hashes = `if(number = 0, [${hashOfPair('plan', '"gold"')}], []), if(number = 0, [${hashOfName('plan')}], []), number = 0`;
  await store.command(
    `INSERT INTO traces (project_id, start_time, id, id_time_ms, trace_id, span_id, method, path, status_code, duration_micros,
       is_error, error_message, service, step_count, user_id, attributes, attribute_pairs, attribute_names, attributes_whole, has_spans, stored_at)
     SELECT {project:UUID}, fromUnixTimestamp64Milli({start:Int64} + number * 60000), toUUID(concat({id:String}, toString(number))),
       {start:Int64} + number * 60000, repeat(toString(number), 32), repeat(toString(number), 16), 'GET', concat('/orders/', toString(number)),
       if(number = 1, 500, 200), 1000 * (number + 1), number = 1, if(number = 1, 'no stock', ''), 'shop', number = 2, 'u1',
       if(number = 2, '{}', '{"plan":"gold"}'), ${hashes}, number = 2, now64(6)
     FROM numbers(3)`,
    { project: PROJECT, start: String(startMs), id: idAt(startMs) },
  );
  await store.command(
    `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, entry, service, name, type, start_nanos, duration_nanos, metadata, stored_at)
     SELECT {project:UUID}, repeat('2', 32), if(number = 0, repeat('2', 16), repeat('3', 16)), if(number = 0, '', repeat('2', 16)),
       number = 0, 'shop', if(number = 0, 'GET', 'charge'), if(number = 0, '', 'custom'), {start:Int64} * 1000000, 1000,
       if(number = 0, '{}', '{"plan":"gold"}'), now64(6)
     FROM numbers(2)`,
    { project: PROJECT, start: String(startMs) },
  );
  await store.command(
    `INSERT INTO request_rollups (project_id, hour, built, method, endpoint, status_class, service, requests, errors, duration_micros_sum,
       duration_micros_max, durations, steps_sum, steps_max)
     SELECT project_id, toStartOfHour(start_time) AS hour, 1, method, '/orders/:id', intDiv(status_code, 100), service, count(),
       countIf(is_error), sum(duration_micros), max(duration_micros),
       quantilesDDState(0.005, 0.5, 0.95, 0.99)(toFloat64(duration_micros)), sum(step_count), max(step_count)
     FROM traces GROUP BY project_id, hour, method, intDiv(status_code, 100), service`,
  );
  await store.command(
    'INSERT INTO rollup_hours SELECT DISTINCT project_id, toStartOfHour(start_time), 1 FROM traces',
  );
  await store.close();
}

/** Builds a request that fails in the given function, with the same message as the failed request that `writePrevious` stored. */
function failIn(name: string) {
  const error = { name: 'RangeError', message: 'no stock' };
  const startTime = new Date().toISOString();
  const step = { stepId: name, stepName: name, functionName: name, filePath: 'src/shop.ts', startTime };
  return aTrace({
    error: { hasError: true, errorMessage: error.message },
    flow: [{ ...step, stepType: 'function', duration: 1, error }],
  });
}

/** Returns all digits of a UUIDv7 for the given time except the last digit, which the caller appends. */
function idAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-00000000000`;
}

test('a data folder of the previous version has the same usage, stats, errors and search results after an upgrade', async () => {
  const folder = `${dataDir}-before`;
  // Half an hour ago, because the free trial retains traces for one hour.
  const startMs = Date.now() - HOUR_MS / 2;
  try {
    await writePrevious(folder, startMs);
    const server = spawnServer({ dataDir: folder, env: { LOG_LEVEL: 'error' } });
    const url = await server.ready();
    const client = await signedInAt(url);
    const found = async (attribute: string) =>
      (await client.call(routes.traces.list, { query: { attribute: [attribute] } })).traces.map(
        ({ request }) => request.path,
      );
    const gold = ['/orders/2', '/orders/1', '/orders/0'];
    expect(await found('plan:gold')).toEqual(gold);
    expect(await found('plan')).toEqual(gold);
    expect(await found('plan:silver')).toEqual([]);
    expect((await client.call(routes.usage.read, {})).usage.traces.used).toBe(3);
    const { overview } = await client.call(routes.analytics.overview, { params: { id: PROJECT } });
    expect(overview.metrics).toMatchObject({ totalTraces: 3, errorTraces: 1 });
    const listErrors = async () => {
      const query = { state: 'all' } as const;
      const { errors } = await client.call(routes.errors.list, { params: { id: PROJECT }, query });
      return errors.map(({ id: error, state, note, assignee, count, thrownBy }) => [
        error,
        state,
        note,
        assignee?.id,
        count,
        thrownBy?.function,
      ]);
    };
    const decided = [ERROR, 'ignored', 'a known error', USER];
    expect(await listErrors()).toEqual([[...decided, 1, undefined]]);
    await sendTraces({ url }, API_KEY, ['taxFor', 'priceOf'].map(failIn));
    // On the first day after the upgrade, the error is not split by function, so both new requests count towards the stored error.
    expect(await listErrors()).toEqual([[...decided, 3, expect.any(String)]]);
    expect(await server.kill('SIGTERM')).toBe(0);
    const stores = await openStores(readConfig({ production: false, demo: false }, { DATA_DIR: folder }));
    const range = { from: BigInt(startMs - HOUR_MS) * 1000n, until: BigInt(startMs + HOUR_MS) * 1000n };
    for (const few of [0, 1_000_000]) {
      const rollups = createRollups({ store: stores.traces, log: createLog('fatal') }, { quietMs: 0, few });
      const figures = await rollups.requests({ id: PROJECT as never, shownSince: 0n }, range, ['endpoint']);
      expect(figures.filter(({ endpoint }) => endpoint === '/orders/:id')).toMatchObject([
        { endpoint: '/orders/:id', requests: 3, errors: 1, duration_micros_sum: 6000, steps_sum: 1 },
      ]);
      await rollups.close();
    }
    await stores.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
