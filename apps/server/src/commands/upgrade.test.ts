import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, routes } from '@throughline/contract';
import { putControlStore, runCommand, spawnServer } from '@throughline/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../features/auth/index.ts';
import { openControlStore } from '../platform/control-store/index.ts';
import { createSealer, hashToken, loadSecretKey } from '../platform/secrets.ts';
import { openTraceStore, timeOfTraceId } from '../platform/trace-store/index.ts';

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
  await writeAccounts();
  await writeTraces();
}, 120_000);
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** What the first version wrote, in the columns that it had. */
async function writeAccounts() {
  const secretKey = loadSecretKey({ secretKey: undefined, dataDir });
  const sealed = createSealer(secretKey, 'api-keys').seal(API_KEY, PROJECT);
  const { db, close } = await openControlStore({ databaseUrl: undefined, dataDir }, '0000_first');
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
  const store = await openTraceStore({ clickhouse: undefined, dataDir }, 1);
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

test('a data folder of the first version opens, keeps everything, and its backup is of its own tables', async () => {
  const file = join(dataDir, '..', `upgrade-${process.pid}.backup`);
  const target = `${dataDir}-restored`;
  try {
    expect(await runCommand(['backup', file], { dataDir })).toMatchObject({ code: 0, stderr: '' });
    expect(await runCommand(['restore', file], { dataDir: target })).toMatchObject({ code: 0, stderr: '' });
    for (const folder of [target, dataDir]) {
      const server = spawnServer({ dataDir: folder, env: { LOG_LEVEL: 'error' } });
      const url = await server.ready();
      const anyone = createClient({ baseUrl: url, fetch, token: () => null });
      const signedIn = await anyone.call(routes.auth.login, {
        body: { email: 'ada@test.example', password: PASSWORD },
      });
      const token = 'token' in signedIn ? signedIn.token : '';
      const client = createClient({ baseUrl: url, fetch, token: () => token });
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
}, 180_000);
