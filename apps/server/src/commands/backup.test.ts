import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, routes } from '@throughline/contract';
import {
  aTrace,
  putControlStore,
  runCommand,
  spawnServer,
  startClickHouse,
  startPostgres,
} from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { openStores } from '../platform/stores.ts';

const PERSON = { name: 'Größe 🚀', email: 'ada@test.example', password: 'correct horse' };
const VALUES = {
  tab: 'a\tb\\n',
  line: 'one\ntwo',
  big: '‹ünï😀›',
  nul: '\u0000',
  deep: { n: 1.5, list: [null, true] },
};

let folder: string;
let dataDir: string;
let file: string;
let token: string;
let projectId: string;
let apiKey: string;
/** The first server's responses, with which the restored server's responses are compared. */
let before: unknown[];

const flow = [
  { stepId: '1', stepName: 'charge', startTime: new Date().toISOString(), duration: 1, inputs: VALUES },
];

async function onServer<T>(
  place: { readonly dataDir: string; readonly env?: Readonly<Record<string, string>> },
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = spawnServer({ ...place, env: { LOG_LEVEL: 'error', ...place.env } });
  try {
    return await use(await server.ready());
  } finally {
    await server.kill('SIGTERM');
  }
}

const clientAt = (url: string, bearer: string | null = token) =>
  createClient({ baseUrl: url, fetch, token: () => bearer });

async function send(url: string, count: number) {
  const traces = Array.from({ length: count }, () => aTrace({ flow }));
  const answer = await fetch(url + routes.ingest.traces.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ service: { name: 'shop' }, traces }),
  });
  expect(await answer.json()).toEqual({ accepted: count, rejected: [] });
}

async function readAll(url: string): Promise<unknown[]> {
  const client = clientAt(url);
  const { traces } = await client.call(routes.traces.list, { query: { projectId, limit: 500 } });
  return Promise.all(
    traces.map(async ({ _id }) => (await client.call(routes.traces.read, { params: { id: _id } })).trace),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-backup-'));
  dataDir = join(folder, 'data');
  file = join(folder, 'one.backup');
  await putStores(dataDir);
  await onServer({ dataDir }, async (url) => {
    const anyone = clientAt(url, null);
    ({ token } = await anyone.call(routes.auth.registerSolo, { body: PERSON }));
    const client = clientAt(url);
    const { project } = await client.call(routes.projects.create, { body: { name: 'shop' } });
    projectId = project.id;
    ({ apiKey } = await client.call(routes.projects.apiKey, { params: { id: projectId } }));
    await send(url, 25);
    before = await readAll(url);
    const saved = await runCommand(['backup', file], { dataDir });
    expect(saved).toMatchObject({ code: 0, stderr: '' });
    expect(saved.stdout).toContain(`Saved 1 account and 25 traces to ${file}`);
    expect(saved.stdout).toContain("contains the server's secret");
    // Traces sent later are not in the backup.
    await send(url, 3);
  });
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const restored = async (name: string, env: Readonly<Record<string, string>> = {}) => {
  const target = join(folder, name);
  return { target, result: await runCommand(['restore', file], { dataDir: target, env }) };
};

describe('a backup of a running server', () => {
  test('is a file that only its owner can read', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('restores all data that was stored before the backup into an empty folder, with working API keys', async () => {
    const { target, result } = await restored('again');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^Restored 1 account and 25 traces, as they were on 20/);
    await onServer({ dataDir: target }, async (url) => {
      expect(await readAll(url)).toEqual(before);
      const anyone = clientAt(url, null);
      await anyone.call(routes.auth.login, { body: PERSON });
      const { usage } = await clientAt(url).call(routes.usage.read, {});
      expect(usage.traces.used).toBe(25);
      expect(await clientAt(url).call(routes.projects.apiKey, { params: { id: projectId } })).toEqual({
        apiKey,
      });
      await send(url, 1);
    });
    expect((await stat(join(target, 'secret.key'))).mode & 0o777).toBe(0o600);
  });

  test.runIf(isThorough())(
    'can be restored into PostgreSQL and ClickHouse servers, and a backup of these servers into a folder',
    async () => {
      const [postgres, clickhouse] = await Promise.all([startPostgres(), startClickHouse()]);
      try {
        const secret = (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim();
        const DATABASE_URL = await postgres.createDatabase('restored');
        const servers = { DATABASE_URL, CLICKHOUSE_URL: clickhouse.url };
        const wrong = await restored('served', {
          ...servers,
          SECRET_KEY: Buffer.alloc(32).toString('base64'),
        });
        expect(wrong.result).toMatchObject({ code: 1, stdout: '' });
        expect(wrong.result.stderr).toMatch(/^SECRET_KEY is not the secret that the backup was made with/);
        const env = { ...servers, SECRET_KEY: secret, PORT: '0' };
        const { target, result } = await restored('served', env);
        expect(result).toMatchObject({ code: 0, stderr: '' });
        const back = join(folder, 'served.backup');
        await onServer({ dataDir: target, env }, async (url) => {
          expect(await readAll(url)).toEqual(before);
          const saved = await runCommand(['backup', back], { dataDir: target, env });
          expect(saved).toMatchObject({ code: 0, stderr: '' });
          expect(saved.stdout).toContain('Saved 1 account and 25 traces');
        });
        expect(await runCommand(['migrate'], { dataDir: target, env })).toEqual({
          code: 0,
          stdout: 'The tables are up to date.\n',
          stderr: '',
        });
        const { code, stdout } = await runCommand(['doctor'], { dataDir: target, env });
        expect({ code, stdout }).toMatchObject({ code: 0 });
        for (const store of ['Accounts (DATABASE_URL)', 'Traces (CLICKHOUSE_URL)'])
          expect(stdout).toContain(`[ ok ] ${store}: responds, and its tables are up to date`);
        const home = join(folder, 'home');
        const again = await runCommand(['restore', back], { dataDir: home, env: { SECRET_KEY: secret } });
        expect(again).toMatchObject({ code: 0, stderr: '' });
        await onServer({ dataDir: home, env: { SECRET_KEY: secret } }, async (url) => {
          expect(await readAll(url)).toEqual(before);
        });
        for (const [variable, used] of [
          ['DATABASE_URL', env],
          ['CLICKHOUSE_URL', { ...env, DATABASE_URL: await postgres.createDatabase('other') }],
        ] as const) {
          const twice = await restored(`other ${variable}`, used);
          expect(twice.result).toMatchObject({ code: 1, stdout: '' });
          expect(twice.result.stderr).toMatch(
            new RegExp(`The database that ${variable} names has \\d+ rows in \\w+\\. A backup is`),
          );
        }
      } finally {
        await Promise.all([postgres.stop(), clickhouse.stop()]);
      }
    },
  );
});

test.runIf(isThorough())('a stopped server can be backed up with all accounts and traces', async () => {
  const copy = join(folder, 'stopped');
  await cp(dataDir, copy, { recursive: true, verbatimSymlinks: true });
  const saved = await runCommand(['backup', join(folder, 'two.backup')], { dataDir: copy });
  expect(saved).toMatchObject({ code: 0, stderr: '' });
  expect(saved.stdout).toContain('Saved 1 account and 28 traces');
});

describe('the command fails with code 1, and prints the reason, for', () => {
  const refused = async (args: readonly string[], place: string, env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runCommand(args, { dataDir: place, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toMatch(/^\s+at /m);
    return stderr;
  };

  test.runIf(isThorough())('a backup to a file that exists already', async () => {
    const wasSize = (await stat(file)).size;
    expect(await refused(['backup', file], dataDir)).toContain('already exists');
    expect((await stat(file)).size).toBe(wasSize);
  });

  test.runIf(isThorough())('a backup of a data folder that does not exist', async () => {
    const nothing = join(folder, 'nothing');
    expect(await refused(['backup', join(folder, 'x')], nothing)).toContain('Is DATA_DIR correct?');
    expect(await readdir(folder)).not.toContain('x.unfinished');
  });

  test.runIf(isThorough())('a backup of stores that were never used', async () => {
    const unused = join(folder, 'unused');
    await putControlStore(unused);
    const env = { SECRET_KEY: Buffer.alloc(32).toString('base64') };
    expect(await refused(['backup', join(folder, 'x')], unused, env)).toMatch(/^There is nothing to back up/);
  });

  test('a restore into a folder that is in use', async () => {
    expect(await refused(['restore', file], dataDir)).toMatch(/is not empty \(.*only into an empty folder/);
  });

  test.runIf(isThorough()).each([
    ['that is not a backup', (path: string) => writeFile(path, 'hello\n'), /is not a backup of Throughline/],
    ['that is empty', (path: string) => writeFile(path, ''), /is incomplete/],
    [
      'that was cut off',
      async (path: string) => truncate(path, (await stat(path)).size - 40),
      /is incomplete/,
    ],
    [
      'with a changed byte',
      async (path: string) => {
        const bytes = await readFile(path);
        const at = bytes.length - 200;
        bytes[at] = (bytes[at] ?? 0) ^ 0xff;
        await writeFile(path, bytes);
      },
      // The changed byte can be in the list of the file's contents, so any of these messages can appear.
      /is damaged|is not a backup|are not what was backed up/,
    ],
  ])('a restore of a file %s', async (name, spoil, message) => {
    const spoilt = join(folder, `spoilt ${name}`);
    const target = join(folder, `of ${name}`);
    await cp(file, spoilt);
    await spoil(spoilt);
    expect(await refused(['restore', spoilt], target)).toMatch(message);
    const names: string[] = await readdir(target).catch(() => []);
    if (names.length === 0) return;
    // An unfinished restore must not be mistaken for a complete one.
    expect(names).toContain('restore-unfinished');
    const config = readConfig({ production: false, demo: false }, { DATA_DIR: target });
    await expect(openStores(config)).rejects.toThrow('did not finish');
  });
});
