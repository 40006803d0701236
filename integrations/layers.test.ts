import { Collector } from '@throughline/testkit/collector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { tree } from './harness/trees.ts';

/** Nests each name in the name before it. The last name contains `steps`. */
const nest = ([first, ...others]: readonly string[], ...steps: unknown[]): unknown[] =>
  first === undefined ? steps : [[first, ...nest(others, ...steps)]];

const PROMISE = 'new Promise() callback';
const TWENTY_CALLS = Array.from({ length: 20 }, () => 'step');
const untilPassedOn = (first: string[], ...steps: unknown[]) =>
  nest(first, ...nest(['later'], PROMISE, ...nest(['passOn'], PROMISE, ...steps)));
const koa = untilPassedOn(
  ['middleware', 'outer', 'check'],
  ...nest(
    ['middleware', 'middleware', 'middleware', 'count'],
    ...TWENTY_CALLS,
    ...nest(['step', 'middleware', 'load', 'show'], 'find'),
  ),
);
const hono = untilPassedOn(['middleware /*', 'outer', 'check'], ['show', 'find']);

describe.each([
  ['Koa', 'koa.cjs', koa],
  ['Hono', 'hono.mjs', hono],
])('a layer of %s', (_name, script, layers) => {
  const collector = new Collector();
  let app: App;
  let url: string;

  beforeAll(async () => {
    app = new App(`layers/${script}`, { collector: await collector.start() });
    url = await app.ready();
  });
  afterAll(async () => {
    await app.stop();
    await collector.stop();
  });

  test('is below the function that called `next`, in each of several overlapping requests', async () => {
    const paths = ['/items/a', '/items/b', '/items/c', '/items/d'];
    await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()));
    for (const path of paths) expect(tree(await collector.trace(path))).toEqual(layers);
  });

  test("shows its error as the request's error, although functions are between it and the outermost layer", async () => {
    expect(await (await fetch(`${url}/items/broken`)).text()).toBe('no item');
    const { flow, error } = await collector.trace('/items/broken');
    expect(error).toMatchObject({ hasError: true, errorMessage: 'no item' });
    const thrown = flow.filter((step) => step.error && !step.metadata?.rethrown);
    expect(thrown.map(({ stepName }) => stepName)).toEqual(['find']);
  });
});
