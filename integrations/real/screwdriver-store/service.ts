import { createSign, generateKeyPairSync } from 'node:crypto';
import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealRequest, RealService } from '../harness/service.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Returns a token of the build 7, which the API of Screwdriver would have signed. */
function signToken(): string {
  const claims = {
    username: 7,
    scope: ['build'],
    eventId: 5,
    jobId: 3,
    pipelineId: 9,
    iat: Math.floor(Date.now() / 1000),
  };
  const [head, body] = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createSign('RSA-SHA256').update(`${head}.${body}`).sign(privateKey, 'base64url');
  return `${head}.${body}.${signature}`;
}

export const TOKEN = signToken();

const LIMITS = { expiresInSec: 3_600_000, maxByteSize: 1_000_000 };

/** Screwdriver Store 7: Hapi 21, JavaScript as written, tokens, joi, Boom errors, streams, a request to another server. */
export const service: RealService = {
  name: 'screwdriver-store',
  own: ['screwdriver-store'],
  script: 'screwdriver-store/bin/server',
  args: () => [],
  env: (port) => ({
    NODE_CONFIG_DIR: '.',
    NODE_CONFIG: JSON.stringify({ httpd: { port, host: '127.0.0.1' } }),
  }),
  files: {
    'default.json': JSON.stringify({
      auth: { jwtPublicKey: publicKey, jwtMaxAge: '13h' },
      builds: LIMITS,
      caches: LIMITS,
      commands: LIMITS,
      strategy: { plugin: 'memory', memory: { maxByteSize: 10_000_000 } },
      // A port to which `fetch` refuses to connect.
      ecosystem: { ui: 'http://127.0.0.1', api: 'http://127.0.0.1:9', allowCors: [] },
    }),
  },
};

const bearer = { authorization: `Bearer ${TOKEN}` };
const ask = (path: string): RealRequest => ({ path: `/v1${path}`, headers: bearer });
const send = (method: string, path: string, type: string, body: string): RealRequest => ({
  method,
  path: `/v1${path}`,
  headers: { ...bearer, 'content-type': type },
  body,
});

export const scenario: Scenario = {
  inTurn: [
    { path: '/v1/status' },
    send('PUT', '/builds/7/log.txt', 'text/plain', 'Built in a minute'),
    ask('/builds/7/log.txt'),
    ask('/builds/7/log.txt?type=preview'),
    ask('/builds/7/log.txt?type=download'),
    send('PUT', '/builds/7/report.json', 'application/json', '{"passed":12}'),
    ask('/builds/7/report.json'),
    ask('/builds/8/log.txt'),
    ask('/builds/7/missing.txt'),
    ask('/builds/seven/log.txt'),
    { path: '/v1/builds/7/log.txt' },
    { path: '/v1/builds/7/log.txt', headers: { authorization: `Bearer ${TOKEN}x` } },
    { ...ask('/builds/7/log.txt'), method: 'DELETE' },
    send('PUT', '/caches/events/5/modules', 'application/octet-stream', 'cached'),
    ask('/caches/events/5/modules'),
    ask('/caches/jobs/4/modules'),
    send('POST', '/commands/shop/deploy/1.0.0', 'application/octet-stream', 'deploy'),
    ask('/none'),
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    nth % 2 === 0
      ? send('PUT', `/builds/7/${buildMarker(nth)}`, 'text/plain', buildMarker(nth))
      : ask(`/builds/7/missing-${buildMarker(nth)}`),
  ),
};
