import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { ERRORS, type ErrorAnswer, type ErrorCode, routes } from '@throughline/contract';
import { DrizzleQueryError } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createId, type SessionId, type UserId } from '../ids.ts';
import { createLog } from '../log.ts';
import { createHttp } from './create-http.ts';
import { AppError } from './errors.ts';
import type { Guard } from './guard.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { MAX_LOGGED_REFUSALS } from './request-log.ts';
import { serve, serveAnyone } from './serve.ts';
import { serveDashboard } from './static-files.ts';
import { respondToUnreadable } from './unreadable-requests.ts';

const logged: string[] = [];
const log = createLog('info', { write: (line) => void logged.push(line) });
const config = readConfig({ production: false, demo: false }, { PUBLIC_URL: 'https://trace.test.example/' });
/** Accepts the token `one` as the session `one`. The features' own tests cover how sessions start. */
const guard: Guard = {
  caller: async ({ headers }) => {
    const session = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (session === undefined) throw new AppError('unauthenticated');
    return {
      sessionId: session as SessionId,
      userId: createId<UserId>(),
      email: 'one@test.example',
      authenticatedAt: new Date(),
      userType: 'solo',
      organization: null,
    };
  },
  scope: async () => undefined,
  confirmation: async () => undefined,
};

let folder: string;
let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-http-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Throughline</title>');
  await writeFile(join(folder, 'assets', 'main-1a2b3c.js'), `// ${'x'.repeat(5000)}`);
  await writeFile(join(folder, 'assets', 'packed-4d5e6f.js'), '// sent to a browser that unpacks nothing');
  await writeFile(
    join(folder, 'assets', 'packed-4d5e6f.js.br'),
    brotliCompressSync('// packed by the build'),
  );
  app = await createHttp(config, log);
  const http = { app, guard, rateLimits: createRateLimits(app, true) };
  serveAnyone(http, routes.auth.register, async ({ body }) => {
    if (body.name === 'fault') throw new DrizzleQueryError('a secret detail', ['hunter3'], new Error('why'));
    throw new AppError('email_taken', undefined, { retryAfterSeconds: 1.2 });
  });
  serve(http, routes.auth.logout, async () => ({ success: true as const }));
  await serveDashboard(app, folder);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const register = routes.auth.register.path;
const good = { name: 'A', email: 'a@b.co', password: 'secret1' };
const post = (body: string, type = 'application/json') =>
  fetch(url + register, { method: 'POST', headers: { 'content-type': type }, body });
const readRefusal = async (answer: Response) => (await answer.json()) as ErrorAnswer;

test('a successful response is not cached, because it can contain data of a session', async () => {
  const answer = await fetch(url + routes.auth.logout.path, {
    method: 'POST',
    headers: { authorization: 'Bearer cached' },
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
});

describe('an error response', () => {
  test.each([
    ['cut-off JSON', () => post('{"name":'), 400, 'invalid_json'],
    ['no body', () => fetch(url + register, { method: 'POST' }), 400, 'validation_failed'],
    ['an empty JSON body', () => post(''), 400, 'validation_failed'],
    ['a list', () => post('[]'), 400, 'validation_failed'],
    ['null', () => post('null'), 400, 'validation_failed'],
    ['a text', () => post('"x"'), 400, 'validation_failed'],
    ['a form', () => post('a=b', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type'],
    ['a huge body', () => post(JSON.stringify({ name: 'x'.repeat(300_000) })), 413, 'payload_too_large'],
    ['an ill-formed address', () => fetch(`${url}/api/%ff`), 400, 'validation_failed'],
    ['an unknown call', () => fetch(`${url}/api/nothing`), 404, 'not_found'],
    ['an unknown method', () => fetch(url + register, { method: 'PUT' }), 404, 'not_found'],
    ['no session', () => fetch(url + routes.auth.logout.path, { method: 'POST' }), 401, 'unauthenticated'],
    ['a rule', () => post(JSON.stringify(good)), 409, 'email_taken'],
    ['a missing asset', () => fetch(`${url}/assets/gone-1.js`), 404, 'not_found'],
  ])('to %s has the right status, the error code and the request id', async (_what, call, status, code) => {
    const answer = await call();
    const body = await readRefusal(answer);
    expect({ status: answer.status, code: body.error.code }).toEqual({ status, code });
    expect(body.message).toBe(body.error.message);
    expect(body.error.requestId).toBe(answer.headers.get('x-request-id'));
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    [
      'an address of 20 kB',
      `GET /api/traces?requests=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'headers of 20 kB',
      `GET / HTTP/1.1\r\nhost: a\r\ncookie: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 400, 'malformed_request'],
  ])("to %s also has the product's format", async (_what, sent, status, code) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(sent);
    const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const { error } = JSON.parse(body) as ErrorAnswer;
    expect(error).toMatchObject({ code, remedy: ERRORS[code as ErrorCode].remedy });
    expect(head).toContain(`x-request-id: ${error.requestId}`);
    expect(head).toContain('cache-control: no-store');
  });

  test('reports that a request did not arrive in time', async () => {
    const server = createServer({ requestTimeout: 20, headersTimeout: 20, connectionsCheckingInterval: 10 });
    server.on('clientError', respondToUnreadable);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost:');
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 408 Request Timeout.*"request_timeout"/s);
    server.close();
  });

  test('reports where JSON is invalid, and when to retry', async () => {
    expect((await readRefusal(await post('{"name": tru}'))).message).toMatch(/position|line|tru/);
    expect((await post(JSON.stringify(good))).headers.get('retry-after')).toBe('2');
  });

  test("to a body with keys such as __proto__ and constructor leaves the prototypes of the server's objects unchanged", async () => {
    const body = '{"__proto__": {"name": "x"}, "constructor": 1, "email": "a@b.co", "password": "secret1"}';
    expect((await readRefusal(await post(body))).error.details?.fields?.[0]?.path).toBe('name');
    expect('name' in {}).toBe(false);
  });

  test('to an internal error logs the cause and hides it from the caller', async () => {
    const answer = await post(JSON.stringify({ ...good, name: 'fault' }));
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain('secret detail');
    const line = logged.find((one) => one.includes('a secret detail'));
    expect(line).toContain(JSON.parse(text).error.requestId);
    expect(line).not.toContain('hunter3');
  });

  test('is logged with its request id only if the operator has to fix the cause', async () => {
    const { error } = await readRefusal(await post('{"name":'));
    const findLine = (id: string) => logged.find((line) => line.includes(id));
    await expect.poll(() => findLine(error.requestId)).toContain('"code":"invalid_json"');
    const taken = await readRefusal(await post(JSON.stringify(good)));
    await readRefusal(await post('[}')).then(({ error: { requestId } }) =>
      expect.poll(() => findLine(requestId)).toBeDefined(),
    );
    expect(findLine(taken.error.requestId)).toBeUndefined();
  });

  test('is logged only a limited number of times', async () => {
    logged.length = 0;
    for (let sent = 0; sent < 2 * MAX_LOGGED_REFUSALS + 20; sent++) await post('{"name":');
    // The test can run across two minutes, and each minute has its own limit.
    expect(logged.length).toBeLessThanOrEqual(2 * MAX_LOGGED_REFUSALS);
  });
});

describe('the page of the dashboard', () => {
  test('allows only its own scripts, cannot be embedded, and makes browsers use HTTPS from then on', async () => {
    const { headers } = await fetch(`${url}/`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).toContain("font-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=15552000');
  });
});

describe('the dashboard', () => {
  test.each(['/', '/login', '/projects', '/traces/01a1fe03', '/dashboard?project=a.b'])(
    'is served at the path %s',
    async (path) => {
      const answer = await fetch(url + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch('text/html');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toContain('<title>Throughline');
    },
  );

  test('has compressed assets that browsers cache permanently', async () => {
    const answer = await fetch(`${url}/assets/main-1a2b3c.js`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(await answer.text()).toHaveLength(5003);
    const all = await fetch(`${url}/assets/main-1a2b3c.js`, {
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    });
    expect(all.headers.get('content-encoding')).toBe('zstd');
    expect(await all.text()).toHaveLength(5003);
  });

  test('sends the file compressed by the build, with the original content type', async () => {
    const path = `${url}/assets/packed-4d5e6f.js`;
    const packed = await fetch(path, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('content-type')).toMatch('javascript');
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await packed.text()).toBe('// packed by the build');
    const plain = await fetch(path, { headers: { 'accept-encoding': 'identity' } });
    expect(await plain.text()).toMatch('unpacks nothing');
    expect((await fetch(`${path}.br`)).status).toBe(404);
  });

  test.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2f..%2fetc/passwd',
    '/.env',
    '//x',
  ])('serves nothing outside its folder at %s', async (path) => {
    // Uses `get`, because fetch would normalize the dots in the path.
    const { port } = new URL(url);
    const [answer] = await once(get({ port, path }), 'response');
    answer.resume();
    expect([400, 404]).toContain(answer.statusCode);
  });
});

test('account requests from one address are rate-limited, and the response includes when to retry', async () => {
  let answer = await post('{}');
  for (let calls = 0; answer.status === 400 && calls < 100; calls += 1) answer = await post('{}');
  expect(answer.status).toBe(429);
  expect((await readRefusal(answer)).error.code).toBe('too_many_requests');
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
});

test('requests are rate-limited per session, and one session does not use up the limit of another', async () => {
  const call = async (session: string) => {
    const headers = { authorization: `Bearer ${session}` };
    const answer = await fetch(url + routes.auth.logout.path, { method: 'POST', headers });
    await answer.text();
    return answer.status;
  };
  const statuses: number[] = [];
  while (statuses.length < 1201) {
    statuses.push(...(await Promise.all(Array.from({ length: 30 }, () => call('one')))));
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(1200);
  expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - 1200);
  expect(await call('two')).toBe(200);
});

test('the log contains neither secrets nor the values of a failed query', () => {
  const cause = new Error('duplicate key');
  log.error({ err: new DrizzleQueryError('insert into users', ['hunter2\nhunter2'], cause) }, 'x');
  expect(logged.at(-1)).toContain('insert into users');
  expect(logged.at(-1)).toContain('duplicate key');
  expect(logged.at(-1)).not.toContain('hunter2');
  log.info({ password: 'hunter2', user: { token: 'hunter2' }, headers: { 'x-api-key': 'hunter2' } }, 'x');
  expect(logged.at(-1)).not.toContain('hunter2');
});
