import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { fillPath, routes } from '@throughline/contract';
import { aTrace, startServer, type TestServer } from '@throughline/testkit';
import { newcomer } from '@throughline/testkit/scene';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createHttp } from './create-http.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { PUBLIC_URL: 'https://Trace.example:8443/' } });
});
afterAll(() => server.stop());

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function call({ path = '/dev/outbox', method = 'GET', headers = {}, body }: Sent) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(server.url + path, { method, headers, setHost: !('host' in headers) }, (answer) => {
      textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

describe('a development server', () => {
  test.each([
    'localhost',
    'LOCALHOST:3001',
    'app.localhost',
    '127.0.0.1:3001',
    '127.1.2.3',
    '[::1]:3001',
    'trace.example',
    'trace.example:8443',
  ])('accepts requests to its own name %s', async (host) => {
    expect((await call({ headers: { host } })).status).toBe(200);
  });

  test.each([
    'rebound.attacker.example',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'trace.example.attacker.example',
    '192.168.0.7:3001',
    '[::ffff:7f00:1]',
    '2130706433',
    '',
  ])('refuses requests to the host name %j on every path', async (host) => {
    const paths = [
      '/dev/outbox',
      '/',
      '/metrics',
      routes.product.live.path,
      fillPath(routes.traces.read.path, { id: '1' }),
    ];
    for (const path of paths) {
      const { status, text } = await call({ path, headers: { host } });
      expect(status).toBe(421);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'unknown_host' } });
    }
  });

  test('accepts traces under any host name, because their sender has an API key', async () => {
    const { project } = await newcomer(server);
    const headers = {
      host: 'host.docker.internal:3001',
      'x-api-key': project.apiKey,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ traces: [aTrace()] });
    const sent = await call({ path: routes.ingest.traces.path, method: 'POST', headers, body });
    expect(sent.status).toBe(200);
    const read = await call({ path: routes.traces.list.path, headers });
    expect(read.status).toBe(421);
  });

  test.each([
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-original-forwarded-for',
    'forwarded',
    'via',
    'x-real-ip',
    'x-cluster-client-ip',
    'fastly-client-ip',
    'cf-connecting-ip',
    'x-envoy-external-address',
    'x-proxyuser-ip',
  ])('hides its outbox of emails from requests through a proxy that adds %s', async (name) => {
    expect((await call({ headers: { [name]: '127.0.0.1' } })).status).toBe(404);
  });
});

test('a production server accepts any host name, because a load balancer uses its address', async () => {
  const app = await createHttp(readConfig({ production: true, demo: false }, {}), createLog('silent'));
  app.get('/', async () => 'here');
  const answer = await app.inject({ url: '/', headers: { host: '10.0.0.7' } });
  expect(answer.body).toBe('here');
  await app.close();
});
