import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealRequest, RealService } from '../harness/service.ts';

export const API_KEY = 'correct-horse-battery-staple';

const pet = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' }, age: { type: 'integer' } },
};
const respond = (schema: object, more: object = {}) => ({
  description: 'A response',
  content: { 'application/json': { schema, ...more } },
});
const PETS = [
  { id: 1, name: 'Rex', age: 3 },
  { id: 2, name: 'Tom', age: 9 },
];

const spec = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1' }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
  paths: {
    '/pets': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          { name: 'q', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            ...respond(
              { type: 'array', items: pet },
              { examples: { all: { value: PETS }, none: { value: [] } } },
            ),
            headers: { 'x-total': { schema: { type: 'integer' } } },
          },
        },
      },
      post: {
        security: [{ key: [] }],
        requestBody: { required: true, content: { 'application/json': { schema: pet } } },
        responses: {
          201: respond(pet),
          422: respond(
            { type: 'object', properties: { reason: { type: 'string' } } },
            { example: { reason: 'no pet' } },
          ),
        },
      },
    },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: respond(pet), 404: { description: 'No such pet' } } },
      delete: { deprecated: true, responses: { 204: { description: 'Deleted' } } },
    },
  },
};

/** Prism 5: plain `http` through Micri, functional TypeScript compiled to CommonJS without source maps, a log that passes through streams. */
export const service: RealService = {
  name: 'prism',
  own: ['cli', 'core', 'http', 'http-server'].map((name) => `@stoplight/prism-${name}`),
  script: '@stoplight/prism-cli/dist/index.js',
  args: (port) => ['mock', 'openapi.json', '--no-multiprocess', '--host', '127.0.0.1', '--port', `${port}`],
  files: { 'openapi.json': JSON.stringify(spec) },
};

const key = { 'x-api-key': API_KEY };
const post = (body: string, headers: RealRequest['headers'] = key): RealRequest => ({
  method: 'POST',
  path: '/pets',
  headers: { ...headers, 'content-type': 'application/json' },
  body,
});

/**
 * No request has a body that is not JSON: Prism would wait for an event of the request that has already happened, and would not respond.
 */
export const scenario: Scenario = {
  inTurn: [
    { path: '/pets' },
    { path: '/pets', headers: { prefer: 'example=none' } },
    { path: '/pets?limit=1000' },
    { path: '/pets/7' },
    { path: '/pets/rex' },
    { path: '/pets/7', headers: { prefer: 'code=404' } },
    { path: '/pets/7', headers: { prefer: 'code=never' } },
    { path: '/pets', headers: { accept: 'text/csv' } },
    post('{"name":"Ada","age":4}'),
    post('{"name":"Ada"}', {}),
    post('{"age":"old"}'),
    { ...post('name=Ada'), headers: { ...key, 'content-type': 'text/plain' } },
    { method: 'DELETE', path: '/pets/7' },
    { method: 'PATCH', path: '/pets/7' },
    { path: '/missing' },
    {
      method: 'OPTIONS',
      path: '/pets',
      headers: { origin: 'http://localhost', 'access-control-request-method': 'POST' },
    },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    nth % 2 === 0
      ? { path: `/pets?q=${buildMarker(nth)}` }
      : post(JSON.stringify({ name: buildMarker(nth) })),
  ),
};
