import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App } from './harness/app.ts';

const collector = new Collector();
let app: App;
let url: string;

beforeAll(async () => {
  app = new App('bluebird/app.js', { collector: await collector.start() });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop('SIGKILL');
  await collector.stop();
});

const REQUESTS = 40;
const ROUTES = [
  ['then', ['shareTurn', 'addTax', 'describe']],
  ['map', ['findLine', 'findLine']],
  ['catch', ['shareTurn', 'refuse']],
  ['reflect', ['shareTurn', 'addTax']],
  ['copy', ['shareTurn', 'addTax', 'describe']],
] as const;

/** Builds a path for each request, with an id that no other request has. */
const buildPaths = (route: string) =>
  Array.from({ length: REQUESTS }, (_request, index) => `/${route}/${route}${index}x`);

test.each([
  ['thenable', 'a callback returns'],
  ['coroutine', 'a coroutine yields'],
])('%s: if requests overlap, the query that %s is in the trace of its request', async (route) => {
  const paths = buildPaths(route);
  await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()));
  for (const path of paths) {
    const { flow } = await collector.trace(path);
    const sent = flow.filter(({ stepType }) => stepType === 'http').map((step) => JSON.stringify(step));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain(`/stored/${path.split('/').at(-1)}`);
  }
});

test.each(pickRows(ROUTES, { usually: 2 }))(
  '%s: if requests overlap, each function is in the trace of the request that called it',
  async (route, names) => {
    const paths = buildPaths(route);
    const answers = await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()));
    for (const [index, path] of paths.entries()) {
      const id = `${route}${index}x`;
      expect(answers[index]).toContain(id);
      const { flow } = await collector.trace(path);
      const called = flow.map(({ stepName }) => stepName);
      for (const name of names) expect(called).toContain(name);
      // Every id in the values of a trace belongs to that trace's request.
      const ids = JSON.stringify(flow).match(/(?:then|map|catch|reflect|copy)\d+x/g) ?? [];
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids)).toEqual(new Set([id]));
    }
  },
);
