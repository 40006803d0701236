import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, routes } from '@throughline/contract';
import { aTrace, putControlStore, runCommand, spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from './platform/config.ts';
import { openInstallation } from './platform/start/installation.ts';
import { openStores } from './platform/stores.ts';

const PERSON = { name: 'Ada', email: 'ada@test.example', password: 'correct horse' };

let place: string;
/** A folder that a server used, with an account, a project with its API key, and 20 traces. */
let used: string;
let dataDir: string;
let token: string;
let projectId: string;

const clientAt = (url: string) => createClient({ baseUrl: url, fetch, token: () => token });

async function onServer(use: (url: string) => Promise<void>): Promise<string> {
  const server = spawnServer({ dataDir });
  try {
    await use(await server.ready());
  } finally {
    await server.kill('SIGTERM');
  }
  return server.output();
}

/** Starts a server on the folder. Returns the error message, or undefined if the server started. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const config = readConfig({ production: false, demo: false }, { DATA_DIR: dataDir, ...env });
  try {
    const stores = await openStores(config);
    try {
      await openInstallation(config, stores.control.db, new Date());
    } finally {
      await stores.close();
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const inFolder = (...names: readonly string[]) => join(dataDir, ...names);

async function findFile(folder: string, name: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.find((entry) => entry.name === name && /_\d+_\d+_\d+/.test(entry.parentPath));
  if (found === undefined) throw new Error(`no ${name} below ${folder}`);
  return join(found.parentPath, name);
}

/** Finds a file of a ClickHouse part of the table `traces`. */
async function findTraceFile(name: string): Promise<string> {
  const sql = await readFile(inFolder('traces', 'metadata', 'default', 'traces.sql'), 'utf8');
  const uuid = /UUID '([0-9a-f-]+)'/.exec(sql)?.[1] ?? '';
  return findFile(inFolder('traces', 'store', uuid.slice(0, 3), uuid), name);
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'throughline-damage-'));
  used = join(place, 'used');
  dataDir = used;
  await putStores(used);
  await onServer(async (url) => {
    const anyone = createClient({ baseUrl: url, fetch, token: () => null });
    ({ token } = await anyone.call(routes.auth.registerSolo, { body: PERSON }));
    const client = clientAt(url);
    const { project } = await client.call(routes.projects.create, { body: { name: 'shop' } });
    projectId = project.id;
    const { apiKey } = await client.call(routes.projects.apiKey, { params: { id: projectId } });
    const traces = Array.from({ length: 20 }, () => aTrace());
    const answer = await fetch(url + routes.ingest.traces.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ service: { name: 'shop' }, traces }),
    });
    expect(await answer.json()).toEqual({ accepted: 20, rejected: [] });
  });
}, 120_000);
afterAll(() => rm(place, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await mkdtemp(join(place, 'copy-'));
  await cp(used, dataDir, { recursive: true, verbatimSymlinks: true });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test.runIf(isThorough())('a server starts on an undamaged folder', async () => {
  expect(await start()).toBeUndefined();
});

describe('a secret', () => {
  test('that is missing prevents the start, and no new secret is created', async () => {
    await rm(inFolder('secret.key'));
    expect(await start()).toMatch(/^The secret of this installation is missing: .*secret\.key is gone/);
    expect(await readdir(dataDir)).not.toContain('secret.key');
    await cp(join(used, 'secret.key'), inFolder('secret.key'));
    expect(await start()).toBeUndefined();
  });

  test("that differs from the installation's secret prevents the start", async () => {
    await writeFile(inFolder('secret.key'), Buffer.alloc(32, 7).toString('base64'));
    expect(await start()).toMatch(
      /secret\.key is not the secret that encrypted this installation's API keys/,
    );
    const SECRET_KEY = Buffer.alloc(32, 8).toString('base64');
    expect(await start({ SECRET_KEY })).toMatch(/^SECRET_KEY is not the secret/);
  });

  test('that was truncated prevents the start', async () => {
    await truncate(inFolder('secret.key'), 10);
    expect(await start()).toMatch(
      /secret\.key does not contain 32 bytes in base64: the secret was truncated or changed/,
    );
  });

  test.runIf(isThorough())(
    'is checked against the stored API keys if an older version recorded no checksum of the secret',
    async () => {
      const config = readConfig({ production: false, demo: false }, { DATA_DIR: dataDir });
      const stores = await openStores(config);
      await stores.control.db.execute('delete from installations');
      await stores.close();
      await rm(inFolder('installation.json'));
      await rm(inFolder('secret.key'));
      expect(await start()).toMatch(/^The secret of this installation is missing/);
      await writeFile(inFolder('secret.key'), Buffer.alloc(32, 7).toString('base64'));
      expect(await start()).toMatch(/is not the secret/);
      await cp(join(used, 'secret.key'), inFolder('secret.key'));
      expect(await start()).toBeUndefined();
    },
  );

  test.runIf(isThorough())("that differs from the installation's secret prevents a backup", async () => {
    await writeFile(inFolder('secret.key'), Buffer.alloc(32, 7).toString('base64'));
    const saved = await runCommand(['backup', join(place, 'lost.backup')], { dataDir });
    expect(saved.code).toBe(1);
    expect(saved.stderr).toMatch(/is not the secret/);
    expect(await readdir(place)).not.toContain('lost.backup');
  });
});

describe('a store', () => {
  test.each(['control', 'traces'])(
    '(%s) that is missing prevents the start, and no empty store is created',
    async (name) => {
      await rename(inFolder(name), join(place, `${name}.away`));
      expect(await start()).toMatch(new RegExp(`/${name} is missing, and with it all`));
      expect(await readdir(dataDir)).not.toContain(name);
      // Earlier versions wrote no installation.json. Without this file, the server detects the missing store from the contents of the other
      // store.
      await rm(inFolder('installation.json'));
      expect(await start()).toMatch(new RegExp(`/${name} is missing, and with it all`));
      expect(await readdir(dataDir)).not.toContain(name);
      await rename(join(place, `${name}.away`), inFolder(name));
      expect(await start()).toBeUndefined();
    },
  );

  test.each(pickRows(['PG_VERSION', 'global/pg_control', 'pg_wal'], { usually: 1 }))(
    'of accounts without %s prevents the start and is not changed',
    async (part) => {
      await rm(inFolder('control', part), { recursive: true });
      const before = await readdir(inFolder('control'), { recursive: true });
      expect(await start()).toContain(`${inFolder('control', part)} missing`);
      expect(await readdir(inFolder('control'), { recursive: true })).toEqual(before);
      const { stdout } = await runCommand(['doctor'], { dataDir });
      expect(stdout).toContain(`${inFolder('control', part)} missing`);
    },
  );

  test.runIf(isThorough())(
    'of accounts with a truncated file prevents the start, and one line names the damaged store',
    async () => {
      await truncate(inFolder('control', 'PG_VERSION'), 0);
      expect(await start()).toMatch(
        /^The store of accounts in .*control cannot be opened: .*restore a backup/,
      );
    },
  );

  test.runIf(isThorough())(
    'of traces without its table definitions prevents the start, and the doctor reports it',
    async () => {
      await rm(inFolder('traces', 'metadata'), { recursive: true });
      const { code, stdout } = await runCommand(['doctor'], { dataDir });
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/\[FAIL\] Traces .*traces has no tables, but/),
      ]);
      expect(await start()).toMatch(/traces has no tables, but this installation had traces there/);
    },
  );

  test.runIf(isThorough())(
    'of traces without one of its tables prevents the start, and the doctor reports it',
    async () => {
      await rm(inFolder('traces', 'metadata', 'default', 'steps.sql'));
      const { code, stdout } = await runCommand(['doctor'], { dataDir });
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/\[FAIL\] Traces .*has lost the table steps/),
      ]);
      expect(await start()).toMatch(/has lost the table steps/);
    },
  );

  test('on another server prevents the start if the setting with its URL is missing, and the error names the setting', async () => {
    const mark = JSON.parse(await readFile(inFolder('installation.json'), 'utf8'));
    await writeFile(inFolder('installation.json'), JSON.stringify({ ...mark, control: 'elsewhere' }));
    expect(await start()).toMatch(
      /^DATABASE_URL is not set, but this installation stores its accounts in the database of DATABASE_URL/,
    );
  });

  test('with the accounts of another installation prevents the start', async () => {
    const mark = JSON.parse(await readFile(inFolder('installation.json'), 'utf8'));
    const id = '00000000-0000-7000-8000-000000000000';
    await writeFile(inFolder('installation.json'), JSON.stringify({ ...mark, id }));
    expect(await start()).toMatch(/belongs to a different accounts database than/);
    await writeFile(inFolder('installation.json'), '{');
    expect(await start()).toMatch(/installation\.json cannot be read/);
  });
});

test.runIf(isThorough())('a start on a damaged folder fails with one line and no stack', async () => {
  await rm(inFolder('secret.key'));
  const server = spawnServer({ dataDir });
  expect(await server.ended()).toBe(1);
  expect(server.output().trim().split('\n')).toHaveLength(1);
  expect(server.output()).toMatch(/^The secret of this installation is missing/);
});

test('a start fails with one line if the data folder is a file', async () => {
  dataDir = join(place, 'file');
  await writeFile(dataDir, '');
  expect(await start()).toMatch(/file is not writable/);
});

test('a damaged part of the trace store is reported in the log, the metrics, a banner and by the doctor', async () => {
  const file = await findTraceFile('data.bin');
  await truncate(file, 10);
  const output = await onServer(async (url) => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^throughline_damaged_parts 1$/m);
    const { usage } = await clientAt(url).call(routes.usage.read, {});
    expect(usage.notices).toMatchObject([{ kind: 'traces_damaged' }]);
  });
  expect(output).toMatch(/"table":"traces","part":"broken-on-start_[^"]+"/);
  const { code, stdout } = await runCommand(['doctor'], { dataDir });
  expect(code).toBe(1);
  expect(stdout).toMatch(/\[FAIL\] Traces .*a part of traces is damaged.*broken-on-start/);
});

test.runIf(isThorough())('the doctor reports a part of the trace store if its bytes changed', async () => {
  const file = await findTraceFile('data.bin');
  const bytes = await readFile(file);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 0xff;
  await writeFile(file, bytes);
  const { code, stdout } = await runCommand(['doctor'], { dataDir });
  expect(code).toBe(1);
  expect(stdout).toMatch(/\[FAIL\] Traces .*the part \S+ of traces is damaged/);
});

test.runIf(isThorough())(
  'a part whose bytes changed is reported in the log, the metrics and a banner after a query has failed to read the part',
  async () => {
    const file = await findTraceFile('data.bin');
    const bytes = await readFile(file);
    // Changes bytes in every column's block, because a query can read any of the columns.
    for (let at = 20; at < bytes.length; at += 50) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    await writeFile(file, bytes);
    const output = await onServer(async (url) => {
      const client = clientAt(url);
      const list = { query: { projectId } };
      await expect(client.call(routes.traces.list, list)).rejects.toMatchObject({ status: 500 });
      await expect
        .poll(async () => (await fetch(`${url}/metrics`)).text())
        .toMatch(/^throughline_damaged_parts 1$/m);
      const { usage } = await client.call(routes.usage.read, {});
      expect(usage.notices).toMatchObject([{ kind: 'traces_damaged' }]);
    });
    expect(output).toMatch(/"table":"traces","part":"\S+".*requests that read them fail/);
  },
);

test.runIf(isThorough())(
  'an API key that cannot be decrypted is masked in lists, and can be regenerated',
  async () => {
    const config = readConfig({ production: false, demo: false }, { DATA_DIR: dataDir });
    const stores = await openStores(config);
    await stores.control.db.execute("update api_keys set sealed_key = 'AAAA'");
    await stores.close();
    await onServer(async (url) => {
      const client = clientAt(url);
      const { projects } = await client.call(routes.projects.list, {});
      expect(projects).toMatchObject([{ name: 'shop', apiKey: 'tl_••••••••' }]);
      const params = { id: projectId };
      await expect(client.call(routes.projects.apiKey, { params })).rejects.toMatchObject({
        status: 409,
        code: 'key_unreadable',
      });
      const { apiKey } = await client.call(routes.projects.regenerateApiKey, { params, body: {} });
      expect(await client.call(routes.projects.apiKey, { params })).toEqual({ apiKey });
    });
  },
);

test('a start makes stores private if other users could read them', async () => {
  for (const name of ['control', 'traces']) await chmod(inFolder(name), 0o755);
  expect(await start()).toBeUndefined();
  for (const name of ['control', 'traces'])
    expect((await stat(inFolder(name))).mode & 0o777, name).toBe(0o700);
});

test.runIf(isThorough())(
  "a server's files are readable only by its user, even in a folder that other users may enter",
  async () => {
    await chmod(dataDir, 0o755);
    await chmod(inFolder('traces'), 0o755);
    const open = await runCommand(['doctor'], { dataDir });
    expect(open.stdout).toMatch(/\[FAIL\] Privacy: other users of this machine can read .*traces: chmod 700/);
    await onServer(async () => {});
    for (const name of ['control', 'traces']) {
      expect((await stat(inFolder(name))).mode & 0o077).toBe(0);
    }
    const fresh = join(place, 'fresh');
    await putControlStore(fresh);
    dataDir = fresh;
    await chmod(fresh, 0o755);
    await onServer(async () => {});
    const entries = await readdir(join(fresh, 'traces'), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect((await stat(file)).mode & 0o077, file).toBe(0);
  },
);
