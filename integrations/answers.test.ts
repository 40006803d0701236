import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App } from './harness/app.ts';

const collector = new Collector();
let app: App;
let url: string;

beforeAll(async () => {
  app = new App('answers/app.js', { collector: await collector.start() });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop();
  await collector.stop();
});

async function ask(path: string): Promise<{ status: number; trace: PostedTrace }> {
  const response = await fetch(url + path);
  await response.text();
  return { status: response.status, trace: await collector.trace(path) };
}

test('a trace has the route of the handler that responded, and the status and headers that the client received, whatever the handler does after the response', async () => {
  const { status, trace } = await ask('/articles/feed');
  expect(status).toBe(200);
  expect(trace).toMatchObject({
    request: { route: '/articles/feed' },
    response: { statusCode: 200, headers: { 'x-feed': 'yes' } },
  });
  // The trace also contains the error that occurred after the response.
  const late = trace.flow.find(({ functionName }) => functionName === 'readArticle');
  expect(late?.error?.message).toBe('there is no such article');
});

test('a request that only one handler matches has the route of that handler', async () => {
  const { status, trace } = await ask('/articles/tea');
  expect(status).toBe(404);
  expect(trace).toMatchObject({ request: { route: '/articles/:slug' }, response: { statusCode: 404 } });
});

test('a value that is passed to next() and is not an Error is not recorded as an error if the response is successful', async () => {
  const { status, trace } = await ask('/package/tea');
  expect(status).toBe(200);
  expect(trace.error).toMatchObject({ hasError: false });
  expect(trace.flow.filter(({ error }) => error !== undefined)).toEqual([]);
});

test('a value that is passed to next() and is not an Error is recorded as an error if the response has an error status', async () => {
  const { status, trace } = await ask('/package/missing');
  expect(status).toBe(404);
  expect(trace.error.hasError).toBe(true);
  expect(trace.flow.find(({ functionName }) => functionName === 'readPackage')?.error).toBeDefined();
});

test('an Error passed to next() is recorded as an error, even if the response is successful', async () => {
  const { status, trace } = await ask('/package/broken');
  expect(status).toBe(200);
  expect(trace.error).toMatchObject({ hasError: true, errorMessage: 'the disk is full' });
});
