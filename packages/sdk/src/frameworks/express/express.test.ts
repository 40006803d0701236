import { createRequire } from 'node:module';
import express5 from 'express';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { host, nextTrace, type Running, serve, watch } from '../../../test/watched.ts';
import { patchFrameworks } from '../../runtime/patch-frameworks.ts';
import type { WireTrace } from '../../send/encode/wire.ts';

// Both versions have the same API, and Express 5's types describe both.
const express4: typeof express5 = createRequire(import.meta.url)('express4');

beforeAll(() => {
  // The SDK must also patch Express if Express was loaded before the SDK.
  patchFrameworks();
  watch();
});

let running: Running | undefined;
afterEach(() => running?.close());

async function fetchTrace(
  app: express5.Express,
  path: string,
  init?: RequestInit,
): Promise<WireTrace & { body: string }> {
  running = await serve(app);
  const response = await fetch(running.url + path, init);
  const body = await response.text();
  return { ...(await nextTrace()), body };
}

async function untraced(app: express5.Express, path: string): Promise<string> {
  host.on = false;
  const server = await serve(app);
  try {
    return await (await fetch(server.url + path)).text();
  } finally {
    host.on = true;
    await server.close();
  }
}

const steps = (trace: WireTrace) =>
  trace.flow.map((step) => [step.stepType, step.stepName, step.parentStepId]);

describe.each([
  ['Express 5', express5],
  ['Express 4', express4],
])('%s', (_, express) => {
  test('each middleware and each handler is a step under its own name, and these steps are siblings', async () => {
    const app = express();
    app.use(function first(_req, _res, next) {
      next();
    });
    app.use(express.json());
    app.use('/orders', (_req, _res, next) => setImmediate(next));
    app.post(
      '/orders/:id',
      function check(_req, _res, next) {
        next();
      },
      (req, res) => {
        res.status(201).json({ id: req.params.id, got: req.body });
      },
    );
    const trace = await fetchTrace(app, '/orders/17?x=1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"sku":"a"}',
    });
    expect(trace.body).toBe('{"id":"17","got":{"sku":"a"}}');
    expect(steps(trace)).toEqual([
      ['middleware', 'first', null],
      ['middleware', 'jsonParser', null],
      ['middleware', 'middleware /orders', null],
      ['middleware', 'check', null],
      ['handler', 'POST /orders/:id', null],
    ]);
    // `functionName` is undefined for an anonymous function, even though its step has a name.
    expect(trace.flow.map((step) => step.functionName)).toEqual([
      'first',
      'jsonParser',
      undefined,
      'check',
      undefined,
    ]);
    expect(trace.flow.every((step) => step.metadata?.unfinished === undefined)).toBe(true);
    expect(trace.request).toMatchObject({
      method: 'POST',
      path: '/orders/17',
      route: '/orders/:id',
      query: { x: '1' },
      body: { sku: 'a' },
    });
    expect(trace.response).toMatchObject({ statusCode: 201, body: { id: '17', got: { sku: 'a' } } });
    expect(trace.error.hasError).toBe(false);
  });

  test('the `next` of a layer has the same identity, name and length as without the SDK', async () => {
    const app = express();
    const seen: unknown[] = [];
    const look = (req: express5.Request, next: express5.NextFunction): void => {
      seen.push([next === req.next, next.name, next.length, 'prototype' in next]);
      next();
    };
    const router = express.Router();
    router.use((req, _res, next) => look(req, next));
    app.use((req, _res, next) => look(req, next));
    app.use('/', router);
    app.use((req, _res, next) => look(req, next));
    app.get('/', (req, _res, next) => {
      seen.push([next.name, next.length]);
      req.next?.(new Error('over'));
    });
    app.use(((error, req, res, next) => {
      seen.push([error.message, next === req.next]);
      res.send('ok');
    }) satisfies express5.ErrorRequestHandler);
    const plain = await untraced(app, '/');
    const expected = seen.splice(0);
    const trace = await fetchTrace(app, '/');
    expect([plain, trace.body]).toEqual(['ok', 'ok']);
    expect(expected).toHaveLength(5);
    expect(seen).toEqual(expected);
  });

  test('each layer adds two frames to a call stack', async () => {
    const framesBelow = async (layers: number): Promise<number> => {
      const app = express();
      let stack = '';
      for (let layer = 0; layer < layers; layer++) app.use((_req, _res, next) => next());
      app.get('/', (_req, res) => {
        const { stackTraceLimit } = Error;
        Error.stackTraceLimit = 200;
        stack = new Error('here').stack ?? '';
        Error.stackTraceLimit = stackTraceLimit;
        res.send('ok');
      });
      await fetchTrace(app, '/');
      await running?.close();
      return stack.split('\n').filter((line) => /\/src\/frameworks\/.*(?<!\.test)\.ts:/.test(line)).length;
    };
    expect((await framesBelow(4)) - (await framesBelow(1))).toBe(6);
  });

  test('a middleware that is mounted at a path with parameters is named after the template of this path, and not after the first URL that reached it', async () => {
    const app = express();
    const wildcard = express === express4 ? '/:shop/*' : '/:shop/*rest';
    app.use(wildcard, (_req, _res, next) => next());
    app.use('/:shop/:item', (_req, _res, next) => next());
    for (const path of ['/bakery/rye%20bread', '/florist/roses/red']) {
      const { flow } = await fetchTrace(app, path);
      await running?.close();
      expect(flow.map(({ stepName }) => stepName)).toEqual([
        `middleware ${wildcard}`,
        'middleware /:shop/:item',
      ]);
    }
  });

  test("a middleware's step ends when the middleware calls next, even if later layers run inside the call", async () => {
    const app = express();
    app.use(function before(_req, _res, next) {
      next();
    });
    app.get('/', function slow(_req, res) {
      const until = performance.now() + 30;
      while (performance.now() < until);
      res.send('ok');
    });
    const { flow } = await fetchTrace(app, '/');
    const [before, slow] = flow;
    expect(before?.duration).toBeLessThan(slow?.duration ?? 0);
    expect(slow?.duration).toBeGreaterThanOrEqual(29);
    expect(Date.parse(before?.endTime ?? '')).toBeLessThanOrEqual(Date.parse(slow?.startTime ?? ''));
  });

  test('a param callback is a sibling of the layers around it, and the step of the callback ends when the callback calls next', async () => {
    const app = express();
    const users = express.Router();
    users.param('user', function loadUser(_req, _res, next) {
      setTimeout(next, 2);
    });
    users.param('post', (_req, _res, next) => next());
    users.get(
      '/:user/posts/:post',
      function check(_req, _res, next) {
        next();
      },
      function show(_req, res) {
        res.send('shown');
      },
    );
    app.use('/users', users);
    const trace = await fetchTrace(app, '/users/7/posts/9');
    expect(trace.body).toBe('shown');
    expect(steps(trace)).toEqual([
      ['middleware', 'loadUser', null],
      ['middleware', 'param :post', null],
      ['middleware', 'check', null],
      ['handler', 'show', null],
    ]);
    const [loadUser, , check] = trace.flow;
    expect(Date.parse(loadUser?.endTime ?? '')).toBeLessThanOrEqual(Date.parse(check?.startTime ?? ''));
  });

  test("an error of a param callback is shown on the callback's step, and the response is the same as without the SDK", async () => {
    const app = express();
    app.param('user', function loadUser(_req, _res, next, id) {
      next(new Error(`no user ${id}`));
    });
    app.get('/users/:user', (_req, res) => void res.send('shown'));
    const { flow, error, body } = await fetchTrace(app, '/users/7');
    expect(error.errorMessage).toBe('no user 7');
    expect(flow.map(({ stepName, error }) => [stepName, error?.message])).toEqual([
      ['loadUser', 'no user 7'],
    ]);
    const answers = (text: string) => text.split('<br>')[0];
    expect(answers(body)).toBe(answers(await untraced(app, '/users/7')));
  });

  test('the route of nested routers and applications contains the names of parameters, not their values', async () => {
    const app = express();
    const users = express.Router({ mergeParams: true });
    const admin = express();
    users.get('/posts/:post', (_req, res) => void res.send('post'));
    users.get('/', (_req, res) => void res.send('user'));
    admin.use('/users/:user', users);
    app.use('/api', admin);
    app.use('/api/:tenant', users);
    app.get('/', (_req, res) => void res.send('home'));
    expect((await fetchTrace(app, '/api/users/42/posts/42')).request.route).toBe(
      '/api/users/:user/posts/:post',
    );
    await running?.close();
    expect((await fetchTrace(app, '/api/users/j%C3%BCrgen/')).request.route).toBe('/api/users/:user');
    await running?.close();
    expect((await fetchTrace(app, '/api/acme/posts/1')).request.route).toBe('/api/:tenant/posts/:post');
    await running?.close();
    expect((await fetchTrace(app, '/')).request.route).toBe('/');
    await running?.close();
    expect((await fetchTrace(app, '/nowhere')).request.route).toBeUndefined();
  });

  test.each([
    [
      'thrown',
      () => {
        throw Object.assign(new Error('no stock'), { code: 'E_STOCK' });
      },
    ],
    [
      'passed to next',
      (_req: unknown, _res: unknown, next: (error: unknown) => void) =>
        next(Object.assign(new Error('no stock'), { code: 'E_STOCK' })),
    ],
    [
      'passed to next later',
      (_req: unknown, _res: unknown, next: (error: unknown) => void) =>
        setTimeout(next, 1, Object.assign(new Error('no stock'), { code: 'E_STOCK' })),
    ],
  ])(
    'an error that is %s is shown on the step of the failed layer and on the trace, and the error handler is a step',
    async (_how, handler) => {
      const app = express();
      app.get('/', handler);
      app.use(function skipped(_req, _res, next) {
        next();
      });
      app.use(function answer(_error: unknown, _req: unknown, res: express5.Response, _next: unknown) {
        res.status(503).send('sorry');
      } satisfies express5.ErrorRequestHandler);
      const trace = await fetchTrace(app, '/');
      expect(trace.body).toBe('sorry');
      expect(trace.error).toEqual({ hasError: true, errorMessage: 'no stock', errorCode: 'E_STOCK' });
      expect(trace.flow.map((step) => [step.stepType, step.error?.message])).toEqual([
        ['handler', 'no stock'],
        ['middleware', undefined],
      ]);
      expect(trace.flow[1]?.stepName).toBe('answer');
    },
  );

  test("next('route') is not an error", async () => {
    const app = express();
    app.get(
      '/',
      (_req, _res, next) => next('route'),
      (_req, res) => void res.send('never'),
    );
    app.get('/', (_req, res) => void res.send('second'));
    const trace = await fetchTrace(app, '/');
    expect(trace.body).toBe('second');
    expect(trace.error.hasError).toBe(false);
    expect(trace.flow.map((step) => step.stepType)).toEqual(['middleware', 'handler']);
  });

  test('the step of a handler that responds later ends with the response', async () => {
    const app = express();
    app.get('/', (_req, res) => void setTimeout(() => res.send('late'), 20));
    const { flow } = await fetchTrace(app, '/');
    expect(flow[0]?.duration).toBeGreaterThanOrEqual(19);
    expect(flow[0]?.metadata?.unfinished).toBeUndefined();
  });
});

test("the error of an async Express 5 handler that rejects is recorded on the handler's step and on the trace", async () => {
  const app = express5();
  app.get('/', async () => {
    await null;
    throw new TypeError('lost');
  });
  app.use(
    ((_error, _req, res, _next) => void res.status(500).send('x')) satisfies express5.ErrorRequestHandler,
  );
  const trace = await fetchTrace(app, '/');
  expect(trace.error).toEqual({ hasError: true, errorMessage: 'lost', errorCode: 'TypeError' });
  expect(trace.flow[0]?.error?.message).toBe('lost');
});
