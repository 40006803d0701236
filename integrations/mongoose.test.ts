import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { step } from './harness/trees.ts';

const collector = new Collector();
let app: App;
let url: string;

beforeAll(async () => {
  app = new App('mongoose/app.js', { collector: await collector.start() });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop('SIGKILL');
  await collector.stop();
  expect(app.stderr).toBe('');
});

const request = async (path: string): Promise<PostedTrace> => {
  expect((await fetch(url + path)).status).toBe(200);
  return collector.trace(path);
};

test.each([
  ['chained', 'findAll'],
  ['executed', 'findAll'],
  ['through', 'findThrough'],
])(
  '%s: a function that returns a query to its caller, which runs the query immediately, has the value and the duration of the query',
  async (form, name) => {
    const { outputs, metadata, duration } = step(await request(`/${form}`), name);
    expect(outputs).toEqual([{ id: 7 }]);
    expect(metadata).toBeUndefined();
    expect(duration).toBeGreaterThan(6);
  },
);

test('the step of a function that returns a failing query shows the error, although the caller of the function handles it', async () => {
  expect(step(await request('/caught'), 'findAll').error?.message).toBe('no such user');
});
