import { Collector } from '@throughline/testkit/collector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';

/** A request, and the status, route and error of its trace. The error is null if the trace has none. */
type Row = readonly [
  target: string,
  status: number,
  route: string | undefined,
  error: readonly [message: string, code: string] | null,
  init?: RequestInit,
];

interface Service {
  readonly name: string;
  readonly script: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly rows: readonly Row[];
}

const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});
const wrongQuantity = post('{"quantity":"many"}');
const malformed = post('{"quant');
const tooLarge = post(JSON.stringify('x'.repeat(200)));
const withKey = (key: string): RequestInit => ({ headers: { 'x-key': key } });
const malformedMessage = 'Unterminated string in JSON at position 7 (line 1 column 8)';
const decodeError = ["Failed to decode param '%E0%A4%A'", 'URIError'] as const;

const hapiRows: readonly Row[] = [
  [
    '/orders/corner',
    400,
    '/orders/{shop}',
    ['Invalid request payload input: "quantity" must be a number', 'ValidationError'],
    wrongQuantity,
  ],
  ['/orders/malformed', 400, '/orders/{shop}', ['Invalid request payload JSON format', 'Error'], malformed],
  [
    '/orders/large',
    413,
    '/orders/{shop}',
    ['Payload content length greater than maximum allowed: 100', 'Error'],
    tooLarge,
  ],
  [
    '/detailed/corner',
    400,
    '/detailed/{shop}',
    ['"quantity" must be a number', 'ValidationError'],
    wrongQuantity,
  ],
  ['/excused/corner', 200, '/excused/{shop}', null, wrongQuantity],
  ['/members/1', 401, '/members/{id}', ['the key is missing', 'Error']],
  ['/members/2', 401, '/members/{id}', ['the key is wrong', 'Error'], withKey('wrong')],
  ['/admins/1', 403, '/admins/{id}', ['Insufficient scope', 'Error'], withKey('right')],
  ['/guests/1', 200, '/guests/{id}', null],
  ['/places/1?at=onRequest', 429, undefined, ['refused in onRequest', 'Error']],
  ['/places/2?at=onPreAuth', 429, '/places/{id}', ['refused in onPreAuth', 'Error']],
  ['/places/3?at=onPreHandler', 429, '/places/{id}', ['refused in onPreHandler', 'Error']],
  ['/places/4?at=onPreResponse', 429, '/places/{id}', ['refused in onPreResponse', 'Error']],
  ['/places/5', 200, '/places/{id}', null],
  ['/returned/boom', 409, '/returned/boom', ['returned by the handler', 'Error']],
  ['/returned/error', 500, '/returned/error', ['returned later', 'TypeError']],
  ['/thrown/1', 404, '/thrown/{id}', ['no such item', 'Error']],
  ['/thrown/2?excused=yes', 200, '/thrown/{id}', null],
  ['/ignored/1', 200, '/ignored/{id}', null],
  ['/nowhere', 404, undefined, null],
  ['/places/%E0%A4%A', 400, undefined, ['Bad Request', 'Error']],
];

const expressRows: readonly Row[] = [
  ['/items/%E0%A4%A', 400, undefined, decodeError],
  ['/shops/%E0%A4%A/1', 400, undefined, decodeError],
  ['/shops/corner/%E0%A4%A', 400, undefined, decodeError],
  ['/malformed', 400, undefined, [malformedMessage, 'SyntaxError'], malformed],
  ['/large', 413, undefined, ['request entity too large', 'PayloadTooLargeError'], tooLarge],
  ['/failing/1', 500, '/failing/:id', ['thrown by the handler', 'TypeError']],
  ['/items/1', 200, '/items/:id', null],
  ['/nowhere', 404, undefined, null],
];

const fastifyRows: readonly Row[] = [
  [
    '/orders/corner',
    400,
    '/orders/:shop',
    ['body/quantity must be number', 'FST_ERR_VALIDATION'],
    wrongQuantity,
  ],
  [
    '/orders/malformed',
    400,
    '/orders/:shop',
    ["Body is not valid JSON but content-type is set to 'application/json'", 'FST_ERR_CTP_INVALID_JSON_BODY'],
    malformed,
  ],
  [
    '/orders/large',
    413,
    '/orders/:shop',
    ['Request body is too large', 'FST_ERR_CTP_BODY_TOO_LARGE'],
    tooLarge,
  ],
  [
    '/places/%E0%A4%A',
    400,
    undefined,
    ["'/places/%E0%A4%A' is not a valid url component", 'FST_ERR_BAD_URL'],
  ],
  ['/places/1?at=onRequest', 500, '/places/:id', ['refused in onRequest', 'RangeError']],
  ['/elsewhere?at=onRequest', 500, undefined, ['refused in onRequest', 'RangeError']],
  ['/places/2?at=preHandler', 500, '/places/:id', ['refused in preHandler', 'RangeError']],
  ['/places/3?at=done', 500, '/places/:id', ['refused by done', 'RangeError']],
  ['/places/4?at=send', 500, '/places/:id', ['sent by a hook', 'RangeError']],
  ['/sent/1', 500, '/sent/:id', ['sent by the handler', 'RangeError']],
  ['/sent-later/1', 500, '/sent-later/:id', ['sent later', 'RangeError']],
  ['/returned/1', 500, '/returned/:id', ['returned by the handler', 'RangeError']],
  ['/thrown/1', 422, '/thrown/:id', ['thrown by the handler', 'RangeError']],
  ['/nowhere', 404, undefined, null],
];

const koaRows: readonly Row[] = [
  ['/items/1', 400, '/items/:id', ['the id is not a number', 'BadRequestError']],
  ['/asserted/1', 401, '/asserted/:id', ['the key is missing', 'UnauthorizedError']],
  ['/orders/malformed', 400, undefined, [malformedMessage, 'SyntaxError'], malformed],
  ['/orders/large', 413, undefined, ['request entity too large', 'PayloadTooLargeError'], tooLarge],
  ['/nowhere', 404, undefined, null],
];

const nestRows: readonly Row[] = [
  ['/members/1', 403, '/members/:id', ['Forbidden resource', 'ForbiddenException']],
  ['/members/2?how=throw', 401, '/members/:id', ['the key is missing', 'UnauthorizedException']],
  [
    '/items/many',
    400,
    '/items/:id',
    ['Validation failed (numeric string is expected)', 'BadRequestException'],
  ],
  [
    '/orders/corner',
    400,
    '/orders/:shop',
    ['Bad Request Exception: ["quantity must be a number","quantity is required"]', 'BadRequestException'],
    wrongQuantity,
  ],
  ['/nowhere?page=1', 404, undefined, null],
];

const answers = { ANSWERS: 'yes' };
const unsampled = { THROUGHLINE_SAMPLE_RATE: '0' };
const services: readonly Service[] = [
  { name: 'Hapi', script: 'hapi.js', rows: hapiRows },
  { name: 'Hapi, without recordings', script: 'hapi.js', env: unsampled, rows: hapiRows },
  { name: 'Express 5', script: 'express.cjs', rows: expressRows },
  { name: 'Express 5 with an error handler', script: 'express.cjs', env: answers, rows: expressRows },
  { name: 'Express 5, without recordings', script: 'express.cjs', env: unsampled, rows: expressRows },
  { name: 'Express 4', script: 'express.cjs', env: { EXPRESS: 'express4' }, rows: expressRows },
  {
    name: 'Express 4 with an error handler',
    script: 'express.cjs',
    env: { EXPRESS: 'express4', ...answers },
    rows: expressRows,
  },
  { name: 'Fastify', script: 'fastify.js', rows: fastifyRows },
  { name: 'Fastify with an error handler', script: 'fastify.js', env: answers, rows: fastifyRows },
  { name: 'Fastify, without recordings', script: 'fastify.js', env: unsampled, rows: fastifyRows },
  { name: 'Koa', script: 'koa.js', rows: koaRows },
  { name: 'Koa with an error handler', script: 'koa.js', env: answers, rows: koaRows },
  { name: 'Nest on Express', script: 'nest.js', rows: nestRows },
  { name: 'Nest on Fastify', script: 'nest.js', env: { ADAPTER: 'fastify' }, rows: nestRows },
  { name: 'Nest on Express, without recordings', script: 'nest.js', env: unsampled, rows: nestRows },
];

describe.each(services)('$name', ({ script, env, rows }) => {
  const collector = new Collector();
  const isSampled = env !== unsampled;
  let app: App;

  beforeAll(async () => {
    app = new App(`refused/${script}`, { collector: await collector.start(), ...(env && { env }) });
    const url = await app.ready();
    await Promise.all(rows.map(async ([target, , , , init]) => (await fetch(url + target, init)).text()));
  });
  afterAll(async () => {
    await app.stop();
    await collector.stop();
  });

  // The SDK sends the trace of a request that is not sampled only if the request failed.
  const sent = rows
    .filter(([, , , error]) => isSampled || error !== null)
    .map(([target, status, route, error]) => [target, status, route, error] as const);
  test.each(sent)(
    'the trace of %s has the status %s, the route %s and the error %j',
    async (target, statusCode, route, error) => {
      const trace = await collector.trace(target.split('?', 1)[0] ?? target);
      expect(trace.response.statusCode).toBe(statusCode);
      expect(trace.request.route).toBe(route);
      const [errorMessage, errorCode] = error ?? [null, null];
      expect(trace.error).toEqual({ hasError: error !== null, errorMessage, errorCode });
    },
  );

  if (script !== 'hapi.js' || !isSampled) return;
  test.each([
    ['/returned/boom', 'returned by the handler'],
    ['/returned/error', 'returned later'],
    ['/members/2', 'the key is wrong'],
  ])('the function that returned the error of %s is marked as failed', async (path, message) => {
    const { flow } = await collector.trace(path);
    expect(flow.flatMap(({ error }) => error?.message ?? [])).toEqual([message]);
  });
});
