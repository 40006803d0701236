import { chmod, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, routes } from '@throughline/contract';
import { putControlStore, runCommand, type ServerProcess, spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findSecretFile } from '../platform/start/secrets.ts';
import { run } from '../run.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-commands-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const typed = (line: string, given: { env?: Record<string, string>; input?: string } = {}) =>
  runCommand(line.split(' '), { dataDir, ...given });

describe('an invalid command prints an explanation and exits with code 2:', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });

  test.each([
    ['backup', 'Give exactly one file name.'],
    ['restore a b', 'Give exactly one file name.'],
    ['migrate now', 'migrate takes no arguments.'],
    ['doctor --all', 'doctor takes no arguments.'],
    ['user', 'Usage: throughline COMMAND'],
    ['user create-owner --mail x', "Unknown option '--mail'"],
    ['user create-owner --email a@b.co', '--email, --name and --organization are required.'],
    ['traces --since yesterday', '--since must be a number and m, h, d or w, such as 30m, 1h or 7d.'],
    ['traces --since 0h', '--since must be'],
    ['traces status:5xx --limit 0', '--limit must be a number from 1 to 10,000.'],
    ['traces --limit 10001', '--limit must be'],
    ['traces --url ftp://x', '--url must be the URL of a server'],
    ['traces --url http://user:secret@localhost', '--url must be the URL of a server'],
    ['traces --token x', "Unknown option '--token'"],
    ['plan set --plan pro', '--plan, and either --organization or --email, are required.'],
  ])('%s', async (line, says) => {
    // Runs the command in this test's process. The next test checks the exit code of a real process.
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    // Prevents `run` from changing this process's umask: other tests of this process start programs as other users, who must be able to
    // read the programs' files.
    vi.spyOn(process, 'umask').mockReturnValue(0o022);
    await run(line.split(' '), false);
    expect(process.exitCode).toBe(2);
    expect(stdout).not.toHaveBeenCalled();
    expect(stderr.mock.calls.join('')).toContain(says);
  });

  test('start, which is not a command', async () => {
    const { code, stdout, stderr } = await typed('start');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: throughline COMMAND');
    expect(await readdir(dataDir)).toEqual([]);
  });
});

test('help lists every command', async () => {
  const { code, stdout } = await typed('help');
  expect(code).toBe(0);
  for (const name of [
    'serve',
    'migrate',
    'backup FILE',
    'restore FILE',
    'doctor',
    'user create-owner',
    'plan set',
    'traces [FILTER]',
  ]) {
    expect(stdout).toContain(`\n  ${name}`);
  }
});

test('only the user of a command can read the files that it creates', async () => {
  const preload =
    "process.umask(0o022); process.once('exit', () => console.log(process.umask().toString(8)))";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };
  const { stdout } = await typed('help', { env });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('77');
});

describe('commands that run on one data folder, in this order:', () => {
  const account = 'user create-owner --email Owner@Test.example --name Ada --organization';
  let folder: string;
  let server: ServerProcess | undefined;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'throughline-life-'));
    await putControlStore(folder);
  });
  afterAll(async () => {
    await server?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const there = (args: readonly string[], input = '') => runCommand(args, { dataDir: folder, input });

  test('the doctor lists the migrations that a start would apply', async () => {
    expect((await there(['doctor'])).stdout).toMatch(/\[note\] Accounts .*applies 0000_first/);
  });

  test('migrate lists and applies the migrations once; a second run applies none', async () => {
    const first = await there(['migrate']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^To apply: 0000_first \(accounts\)$/m);
    expect(first.stdout).toMatch(/^To apply: 0001_traces_and_steps\.sql \(traces\)$/m);
    expect(first.stdout).toMatch(/Done: the tables are up to date\.\n$/);
    expect((await there(['migrate'])).stdout).toBe('The tables are up to date.\n');
    expect((await there(['doctor'])).stdout).toMatch(/\[ ok \] Traces .*its tables are up to date/);
  });

  test('an owner is created without a running server, with the password from stdin', async () => {
    const input = 'correct horse battery\nmore';
    const made = await there([...account.split(' '), 'Acme', '--slug', 'acme-2', '--password-stdin'], input);
    expect(made).toEqual({
      code: 0,
      stdout: 'owner@test.example owns the organization Acme (acme-2).\n',
      stderr: '',
    });
    server = spawnServer({ dataDir: folder, env: { LOG_LEVEL: 'error' } });
    url = await server.ready();
    const client = createClient({ baseUrl: url, fetch, token: () => null });
    const body = { email: 'owner@test.example', password: 'correct horse battery' };
    expect(await client.call(routes.auth.login, { body })).toMatchObject({ organization: { name: 'Acme' } });
  });

  test.runIf(isThorough())('migrate and the doctor report that the server is running', async () => {
    expect((await there(['migrate'])).stdout).toContain('It updated the tables when it started');
    expect((await there(['doctor'])).stdout).toContain(
      '[ ok ] Stores: the running server reports that both stores respond',
    );
  });

  test.runIf(isThorough())(
    'while the server runs, an owner is created with a generated password that works; a second owner with the same address is refused',
    async () => {
      const second = account.replace('Owner@', 'Second@').split(' ');
      const made = await there([...second, 'Müller & Söhne']);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(made.stdout).toContain('owns the organization Müller & Söhne (muller-sohne).');
      const password = /Password, shown this once: (\w{20})\n$/.exec(made.stdout)?.[1] ?? '';
      const client = createClient({ baseUrl: url, fetch, token: () => null });
      const body = { email: 'second@test.example', password };
      expect(await client.call(routes.auth.login, { body })).toMatchObject({
        user: { email: 'second@test.example', userType: 'organization_member' },
        organization: { role: 'owner', slug: 'muller-sohne' },
      });
      const plan = await there(['plan', 'set', '--organization', 'muller-sohne', '--plan', 'pro']);
      expect(plan).toEqual({ code: 0, stdout: 'muller-sohne has the plan Pro.\n', stderr: '' });
      expect(await client.call(routes.auth.login, { body })).toMatchObject({ organization: { plan: 'pro' } });
      const unknown = await there(['plan', 'set', '--organization', 'nowhere', '--plan', 'pro']);
      expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'No organization has the slug nowhere.\n' });
      const again = await there([...second, 'Other']);
      expect(again.code).toBe(1);
      expect(again.stderr).not.toBe('');
      expect(again.stderr.trim().split('\n')).toHaveLength(1);
    },
  );
});

test.runIf(isThorough())(
  'creating an owner with invalid input fails with an error for each field',
  async () => {
    const { code, stderr } = await typed(
      'user create-owner --email x --name A --organization A --slug A_B --password-stdin',
      {
        input: 'short',
      },
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^--email: /m);
    expect(stderr).toMatch(/^the password: /m);
    expect(stderr).toMatch(/^--slug: /m);
    expect(await readdir(dataDir)).toEqual([]);
  },
);

describe('the doctor', () => {
  test.runIf(isThorough())(
    'finds no problems in a new folder, and creates no files except the lock',
    async () => {
      const { code, stdout } = await typed('doctor');
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/No problems found\.\n$/),
      });
      expect(stdout).toMatch(/\[note\] Accounts \(in the data folder\): the store does not exist yet/);
      expect(stdout).toContain('[note] Payments: BILLING_SANDBOX is on');
      expect((await readdir(dataDir)).filter((name) => !name.startsWith('lock'))).toEqual([]);
    },
  );

  test('reports five problems in one run', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const PORT = String(typeof address === 'object' ? address?.port : 0);
    await putStores(dataDir);
    // Makes the folder look as a server leaves it, except for the planted problems.
    for (const store of ['control', 'traces']) await chmod(join(dataDir, store), 0o700);
    await writeFile(findSecretFile(dataDir), `${Buffer.alloc(32).toString('base64')}\n`);
    await chmod(findSecretFile(dataDir), 0o644);
    await writeFile(join(dataDir, 'lock.pid'), '1');
    const tomorrow = new Date(Date.now() + 86_400_000);
    await utimes(join(dataDir, 'lock.pid'), tomorrow, tomorrow);
    const CLICKHOUSE_URL = `http://127.0.0.1:${PORT}`;
    const env = { PORT, CLICKHOUSE_URL, SMTP_URL: 'smtp://127.0.0.1:1' };
    other.on('connection', (socket) => socket.destroy());
    const { code, stdout, stderr } = await typed('doctor', { env });
    other.close();
    expect(code).toBe(1);
    for (const says of [
      'Secret: ',
      'Clock: ',
      'Traces (CLICKHOUSE_URL): cannot be used',
      'Port: ',
      'Mail: ',
    ]) {
      expect(stdout).toContain(`[FAIL] ${says}`);
    }
    expect(stderr).toMatch(/^5 problems found\.\n$/);
  });

  test.runIf(isThorough())('reports an invalid setting', async () => {
    const { code, stdout } = await typed('doctor', { env: { PORT: 'high' } });
    expect(code).toBe(1);
    expect(stdout).toContain('[FAIL] Settings: PORT must be a whole number');
  });
});
