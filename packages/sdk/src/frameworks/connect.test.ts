import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextTrace, type Running, serve, watch } from '../../test/watched.ts';
import { watchFrameworks } from './watch.ts';

type Next = (error?: unknown) => void;
type App = RequestListener & { use(...args: unknown[]): App };

let running: Running | undefined;

beforeAll(async () => {
  watchFrameworks();
  watch();
  // Loaded after: Connect's applications are watched as they are made.
  const connect: () => App = createRequire(import.meta.url)('connect');
  const admin = connect().use(function panel(_req: IncomingMessage, res: ServerResponse) {
    res.end('panel');
  });
  const app = connect()
    .use(function first(_req: IncomingMessage, _res: ServerResponse, next: Next) {
      next();
    })
    .use('/admin', admin)
    .use('/fail', (_req: IncomingMessage, _res: ServerResponse, next: Next) => next(new Error('broken')))
    .use((_req: IncomingMessage, res: ServerResponse) => void res.end('home'))
    .use(function answer(error: Error, _req: IncomingMessage, res: ServerResponse, _next: Next) {
      res.statusCode = 500;
      res.end(error.message);
    });
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

test("Connect's middlewares are steps; applications mounted in another are not", async () => {
  expect(await fetchSteps('/admin')).toMatchObject({ body: 'panel', steps: ['first', 'panel'] });
  expect(await fetchSteps('/')).toMatchObject({ body: 'home', steps: ['first', 'middleware /'] });
});

test('an error handed to next reaches the error handler, its step and the trace', async () => {
  expect(await fetchSteps('/fail')).toMatchObject({
    body: 'broken',
    error: { hasError: true, errorMessage: 'broken' },
    steps: ['first', 'middleware /fail !broken', 'answer'],
  });
});
