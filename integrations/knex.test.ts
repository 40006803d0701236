import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { step } from './harness/trees.ts';

const collector = new Collector();
let app: App;
let url: string;

beforeAll(async () => {
  app = new App('knex/app.js', { collector: await collector.start() });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop('SIGKILL');
  await collector.stop();
  expect(app.stderr).toBe('');
});

const request = async (path: string): Promise<PostedTrace> => {
  const response = await fetch(url + path);
  expect(response.status).toBe(200);
  return collector.trace(path);
};

/** Returns the names of the steps above each query, the innermost first. */
function listParents({ flow }: PostedTrace): (string | undefined)[] {
  const queries = flow.filter(({ stepType }) => stepType === 'database');
  return queries.map((query) => flow.find(({ stepId }) => stepId === query.parentStepId)?.stepName);
}

test.each([
  ['passed', 'runQuery'],
  ['passedAwaited', 'awaitQuery'],
  ['passedReturned', 'handQuery'],
])(
  '%s: a query is below the function that runs it, not below the function that built it',
  async (form, name) => {
    const trace = await request(`/${form}`);
    expect(listParents(trace)).toEqual([name]);
    expect(step(trace, name).duration).toBeGreaterThan(6);
  },
);

test.each([
  ['often', 'runOften'],
  ['later', 'queries.map() callback'],
])('%s: each of two queries is below the function that runs it', async (form, name) => {
  expect(listParents(await request(`/${form}`))).toEqual([name, name]);
});

test.each(['chained', 'through', 'awaited'])(
  '%s: a function that returns a query to its caller, which runs the query immediately, has the value and the duration of the query',
  async (form) => {
    const trace = await request(`/${form}`);
    expect(listParents(trace)).toEqual(['findAll']);
    for (const name of form === 'through' ? ['findThrough', 'findAll'] : ['findAll']) {
      const { outputs, metadata, duration } = step(trace, name);
      expect(outputs).toEqual([{ id: 7 }]);
      expect(metadata).toBeUndefined();
      expect(duration).toBeGreaterThan(6);
    }
  },
);

test('the step of a function that returns a failing query shows the error, although the caller of the function handles it', async () => {
  const trace = await request('/caught');
  expect(step(trace, 'findAll').error?.message).toContain('no such table');
  expect(step(trace, 'recover').error).toBeUndefined();
});

test('if requests overlap, each query is in the trace of the request that built it, even if another request runs it', async () => {
  const paths = Array.from({ length: 20 }, (_, index) => `/batched/${index}x`);
  const traces = await Promise.all(paths.map(request));
  for (const trace of traces) expect(listParents(trace)).toHaveLength(1);
});
