import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextTrace, type Running, serve, watch } from '../../test/watched.ts';
import { patchFrameworks } from '../runtime/patch-frameworks.ts';

type Next = (error?: unknown) => void;
type App = RequestListener & {
  use(...args: unknown[]): App;
  readonly stack: readonly { readonly handle: unknown }[];
};

let running: Running | undefined;
/** Names of Connect's functions with their numbers of parameters, and whether an application's stack contains the host's own function. */
let shown: unknown[] = [];

beforeAll(async () => {
  patchFrameworks();
  watch();
  // Connect is loaded after the SDK, because the SDK replaces Connect's function when Connect is loaded.
  const connect: () => App = createRequire(import.meta.url)('connect');
  const admin = connect().use(function panel(_req: IncomingMessage, res: ServerResponse) {
    res.end('panel');
  });
  function first(_req: IncomingMessage, _res: ServerResponse, next: Next): void {
    next();
  }
  function answerNames(_req: IncomingMessage, res: ServerResponse, next: Next): void {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 200;
    const below = new Error('here').stack?.split('\n') ?? [];
    Error.stackTraceLimit = stackTraceLimit;
    const ours = below.filter((line) => /\/src\/frameworks\/.*(?<!\.test)\.ts:/.test(line));
    res.end(JSON.stringify({ next: [next.name, next.length], frames: ours.length }));
  }
  const app = connect()
    .use(first)
    .use('/names', answerNames)
    .use('/admin', admin)
    .use('/fail', (_req: IncomingMessage, _res: ServerResponse, next: Next) => next(new Error('broken')))
    .use((_req: IncomingMessage, res: ServerResponse) => void res.end('home'))
    .use(function answer(error: Error, _req: IncomingMessage, res: ServerResponse, _next: Next) {
      res.statusCode = 500;
      res.end(error.message);
    });
  const [entry] = app.stack;
  shown = [connect.name, connect.length, app.use.name, app.use.length, entry?.handle === first];
  running = await serve(app);
});
afterAll(() => running?.close());

async function fetchSteps(path: string) {
  const body = await (await fetch(`${running?.url}${path}`)).text();
  const { flow, error } = await nextTrace();
  return {
    body,
    error,
    steps: flow.map((step) => `${step.stepName}${step.error ? ` !${step.error.message}` : ''}`),
  };
}

test("Connect's middlewares are steps, but mounted applications are not", async () => {
  expect(await fetchSteps('/admin')).toMatchObject({ body: 'panel', steps: ['first', 'panel'] });
  expect(await fetchSteps('/')).toMatchObject({ body: 'home', steps: ['first', 'middleware /'] });
});

test("an error that a middleware passes to next reaches the error handler, and is shown on the middleware's step and on the trace", async () => {
  expect(await fetchSteps('/fail')).toMatchObject({
    body: 'broken',
    error: { hasError: true, errorMessage: 'broken' },
    steps: ['first', 'middleware /fail !broken', 'answer'],
  });
});

test("the layers that a Connect application lists are the host's own functions", async () => {
  expect(shown).toEqual(['createServer', 0, 'use', 2, true]);
  const { body } = await fetchSteps('/names');
  expect(JSON.parse(body).next).toEqual(['next', 1]);
});

test('the SDK adds two frames to a call stack for each layer, and one frame for the application', async () => {
  expect(JSON.parse((await fetchSteps('/names')).body).frames).toBe(4);
});
