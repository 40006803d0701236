import { request } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { serverOfFile } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';

const TOKEN = 'a-token-of-24-characters';
const file = serverOfFile({
  env: {
    METRICS_TOKEN: TOKEN,
    NODE_ENV: 'production',
    RATE_LIMITS: 'on',
    PUBLIC_URL: 'http://localhost:3001',
  },
});

const readStatus = (headers: Readonly<Record<string, string>> = {}) =>
  new Promise<number>((resolve, reject) => {
    request(`${file.server.url}/metrics`, { headers }, (answer) => resolve(answer.resume().statusCode ?? 0))
      .on('error', reject)
      .end();
  });

describe('metrics', () => {
  test('can be read by programs on the same machine', async () => {
    expect(await readStatus()).toBe(200);
  });

  test.each([
    ['a proxy that adds x-forwarded-for', { 'x-forwarded-for': '203.0.113.9' }],
    ['a proxy that adds x-forwarded-proto', { 'x-forwarded-proto': 'https' }],
    ['a proxy that adds x-real-ip', { 'x-real-ip': '127.0.0.1' }],
    ['a proxy that adds forwarded', { forwarded: 'for=203.0.113.9' }],
    ['a proxy that adds via', { via: '1.1 proxy' }],
    ['a proxy that adds nothing and passes the name on', { host: 'trace.example' }],
    ['a name that only begins like this machine', { host: 'localhost.attacker.example' }],
  ])('require the token for %s', async (_what, headers) => {
    expect(await readStatus(headers)).toBe(404);
    expect(await readStatus({ ...headers, authorization: 'Bearer wrong' })).toBe(404);
    expect(await readStatus({ ...headers, authorization: `Bearer ${TOKEN}` })).toBe(200);
  });

  test('require the token for HTTP/1.0, which an nginx proxy before version 1.29.7 uses by default', async () => {
    const { hostname, port } = new URL(file.server.url);
    const socket = connect(Number(port), hostname);
    socket.end(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });
});
