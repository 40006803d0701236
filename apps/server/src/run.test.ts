import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, type ServerProcessOptions, spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let dataDir: string;
const started: ServerProcess[] = [];
const folders: string[] = [];
beforeEach(async () => {
  dataDir = await freshFolder();
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill('SIGKILL');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-run-'));
  folders.push(folder);
  return folder;
}

function start(options: Partial<ServerProcessOptions> = {}): ServerProcess {
  const server = spawnServer({ dataDir, ...options });
  started.push(server);
  return server;
}

const answers = (url: string) =>
  fetch(`${url}/api/health/live`).then(
    () => true,
    () => false,
  );

const registerAt = (url: string, email: string) =>
  fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A', email, password: 'secret1' }),
  });

describe('the process', () => {
  beforeEach(() => putStores(dataDir));

  test('finishes started requests after a termination signal, accepts no new ones, and has all data after a restart', async () => {
    const server = start();
    const url = await server.ready();
    expect((await registerAt(url, 'b@b.co')).status).toBe(201);
    const body = JSON.stringify({ name: 'A', email: 'a@b.co', password: 'secret1' });
    const call = request(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    });
    call.flushHeaders();
    await once(call, 'continue');
    server.child.kill('SIGTERM');
    while (await answers(url)) await pause(5);
    call.end(body);
    const [answer] = await once(call, 'response');
    expect(answer.statusCode).toBe(201);
    answer.resume();
    expect(await server.ended()).toBe(0);
    const again = start();
    const urlAgain = await again.ready();
    for (const email of ['a@b.co', 'b@b.co']) expect((await registerAt(urlAgain, email)).status).toBe(409);
    expect(await again.kill('SIGINT')).toBe(0);
  });

  test.runIf(isThorough())(
    'does not start on a data folder in use, and exits when its parent closes the IPC channel',
    async () => {
      const first = start();
      await first.ready();
      const second = start();
      expect(await second.ended()).toBe(1);
      expect(second.output()).toContain(
        `${dataDir} is in use by another Throughline process (process ${first.child.pid})`,
      );
      expect(second.output()).not.toMatch(/^\s+at /m);
      first.child.disconnect();
      expect(await first.ended()).toBe(0);
    },
  );

  test.each([
    [{ PORT: 'high' }, 'PORT must be a whole number from 0 to 65535'],
    [{ NODE_ENV: 'production', RATE_LIMITS: 'off' }, 'RATE_LIMITS must be on in production'],
    [
      { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', SECRET_KEY: Buffer.alloc(32).toString('base64') },
      'Cannot connect to PostgreSQL or ClickHouse at the configured address: connect ECONNREFUSED 127.0.0.1:1',
    ],
  ])('exits with a one-line error for the settings %j', async (env, line) => {
    const server = start({ env });
    expect(await server.ended()).toBe(1);
    expect(server.output().trim().split('\n')).toHaveLength(1);
    expect(server.output()).toContain(line);
  });

  test.each(pickRows(['PORT', 'OTLP_GRPC_PORT'], { usually: 1 }))(
    'exits with an error if another program uses the port in %s',
    async (setting) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const address = other.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const server = start({ env: { [setting]: String(port) } });
      expect(await server.ended()).toBe(1);
      expect(server.output()).toMatch(new RegExp(`^${setting} .*is in use by another program`, 'm'));
      other.close();
    },
  );

  test.runIf(isThorough())('prints its usage if the command is invalid', async () => {
    const server = start({ args: ['--fast'] });
    expect(await server.ended()).toBe(2);
    expect(server.output()).toContain('Usage: throughline COMMAND');
  });
});

test.runIf(isThorough())(
  'a server starts even if the first two starts on its folder were killed',
  {
    timeout: 600_000,
  },
  async () => {
    for (let round = 0; round < 10; round += 1) {
      dataDir = await freshFolder();
      // Starts a server and kills the server after the folder `control.new-…` appears, so while the control store is created. Then starts
      // another server and kills this server after the folder `control` appears, so while the tables are created.
      for (const begun of [/^control\.new-/, /^control$/]) {
        const server = start();
        const ready = server.ready();
        while (!(await readdir(dataDir)).some((name) => begun.test(name))) await pause(5);
        await Promise.race([pause(Math.random() * 1500), ready]);
        await server.kill('SIGKILL');
        await ready.catch(() => {});
      }
      const after = start();
      expect((await fetch(`${await after.ready()}/api/health/ready`)).status).toBe(200);
      expect((await readdir(dataDir)).filter((name) => name.startsWith('control'))).toEqual(['control']);
      await after.kill('SIGKILL');
    }
  },
);

test.runIf(isThorough())(
  'the demo prints its logins and sends its API key to its parent process at each start',
  async () => {
    await putStores(dataDir);
    const keys: string[] = [];
    for (const _round of [1, 2]) {
      const server = start({ args: ['--demo'], env: { DEMO_PORT: '4567' } });
      const url = await server.ready();
      while (server.messages.length === 0) await pause(10);
      const [message] = server.messages;
      expect(message).toMatchObject({ type: 'demo', url, port: 4567, apiKey: expect.stringMatching(/^tl_/) });
      keys.push(String((message as { apiKey: string }).apiKey));
      for (const role of ['owner', 'admin', 'developer']) {
        expect(server.output()).toMatch(new RegExp(`${role} +${role}@demo\\.example +throughline-demo`));
      }
      await server.kill('SIGTERM');
    }
    expect(keys[0]).toBe(keys[1]);
  },
);
