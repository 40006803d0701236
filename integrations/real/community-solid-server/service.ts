import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealService } from '../harness/service.ts';

const text = { 'content-type': 'text/plain' };
const json = { accept: 'application/json' };
const turtle = { 'content-type': 'text/turtle' };
const NOTE = '<#it> <http://schema.org/name> "Ada"; <http://schema.org/text> "A note that is stored".';

export const PASSWORD = 'correct-horse-battery';

/**
 * Files with small functions. They are not traced, since a request would have 6,000 to 42,000 steps, and the limit of steps would cut its
 * tree.
 */
const HELPERS = [
  'logging/**',
  'util/errors/**',
  'storage/conversion/ConversionUtil.js',
  'storage/keyvalue/**',
  'util/identifiers/**',
  'util/map/**',
  'util/PathUtil.js',
  'util/TermUtil.js',
  'http/representation/*.js',
  'http/auxiliary/*.js',
];

/** Community Solid Server 7: plain `http`, TypeScript compiled to CommonJS with source maps, chains of handlers, async generators, streams. */
export const service: RealService = {
  name: 'community-solid-server',
  own: ['@solid/community-server'],
  script: '@solid/community-server/bin/server.js',
  args: (port) => ['-p', `${port}`, '-b', `http://127.0.0.1:${port}/`, '-l', 'error'],
  env: () => ({
    THROUGHLINE_EXCLUDE: HELPERS.map((path) => `**/${path}`).join(','),
    // With 1 MB of values per trace, more than 64 MB of traces could wait to be sent. The SDK would then drop values, such as the header
    // with the request's number.
    THROUGHLINE_LIMITS: 'requestBytes=200000',
  }),
  volatile: [
    /^(?:etag|expires|last-modified): .*$/gim,
    /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
    /\b\d{10}\b/g,
    // The order of the controls depends on which file of the configuration is read first.
    /"controls":\{.*\}(?=,"version")/g,
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  ],
};

export const scenario: Scenario = {
  inTurn: [
    { method: 'PUT', path: '/notes/a.ttl', headers: turtle, body: NOTE },
    { path: '/notes/a.ttl', headers: { accept: 'application/ld+json' } },
    { path: '/notes/', headers: { accept: 'text/turtle' } },
    { method: 'POST', path: '/notes/', headers: { ...text, slug: 'plain' }, body: 'Text' },
    {
      method: 'PATCH',
      path: '/notes/a.ttl',
      headers: { 'content-type': 'application/sparql-update' },
      body: 'INSERT DATA { <#it> <http://schema.org/author> "Bo" }',
    },
    { path: '/notes/missing.ttl', headers: { accept: 'text/turtle' } },
    { method: 'PATCH', path: '/notes/a.ttl', headers: { 'content-type': 'text/n3' }, body: 'no patch' },
    { method: 'PUT', path: '/notes/a.ttl', headers: { ...turtle, 'if-none-match': '*' }, body: NOTE },
    { path: '/notes/a.ttl', headers: { accept: 'image/png' } },
    { method: 'DELETE', path: '/notes/' },
    { method: 'DELETE', path: '/notes/plain' },
    { path: '/.account/', headers: json },
    {
      method: 'POST',
      path: '/.account/login/password/',
      headers: { ...json, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
    },
    {
      method: 'OPTIONS',
      path: '/notes/a.ttl',
      headers: { origin: 'https://ada.example.com', 'access-control-request-method': 'PUT' },
    },
    { path: '/.well-known/css/images/solid.svg' },
  ],
  // Reading a resource takes thousands of steps, so only four requests read one. No request writes, since a container in memory shows what
  // other requests wrote.
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    nth % 25 === 0
      ? { path: '/notes/a.ttl', headers: { accept: 'text/turtle', 'x-marker': buildMarker(nth) } }
      : { path: `/.well-known/css/images/solid.svg?q=${buildMarker(nth)}` },
  ),
};
