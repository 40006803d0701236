import { Collector } from '@throughline/testkit/collector';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { App, stripsTypes } from './harness/app.ts';
import { findLine, step, tree } from './harness/trees.ts';

let collector: Collector;
let address: string;
let app: App | undefined;

beforeEach(async () => {
  collector = new Collector();
  address = await collector.start();
});
afterEach(async () => {
  await app?.stop();
  await collector.stop();
});

test('the listener of a plain http server is a handler step, with its event listeners below', async () => {
  app = new App('plain-http/app.js', { collector: address });
  const response = await fetch(`${await app.ready()}/shout`, { method: 'POST', body: 'ada' });
  expect(await response.text()).toBe('HELLO ADA');
  const trace = await collector.trace('/shout');
  expect(tree(trace)).toEqual([
    ['serve', ['readBody', 'more', ['whole', ['readBody() callback', 'answerTo']]]],
  ]);
  expect(step(trace, 'serve')).toMatchObject({
    stepType: 'handler',
    functionName: 'serve',
    lineNumber: findLine('plain-http/app.js', 'function serve'),
  });
  expect(step(trace, 'answerTo')).toMatchObject({
    inputs: { name: 'ada', shout: true },
    outputs: 'HELLO ADA',
    variables: { localVariables: { text: 'hello ada' } },
  });
});

test.runIf(stripsTypes)(
  'steps have the names and lines of the TypeScript source if Node strips the types',
  async () => {
    app = new App('typescript/app.ts', { collector: address });
    const response = await fetch(`${await app.ready()}/area/4`);
    expect(await response.json()).toEqual({ area: 12, again: 12 });
    const trace = await collector.trace('/area/4');
    expect(trace.request.route).toBe('/area/:width');
    expect(tree(trace)).toEqual([['GET /area/:width', ['Shelf.add', 'areaOf'], 'pick']]);
    expect(step(trace, 'areaOf')).toMatchObject({
      filePath: 'shapes.ts',
      lineNumber: findLine('typescript/shapes.ts', 'function areaOf'),
      outputs: 12,
      variables: { parameters: { width: 4, height: 3, scale: 1 }, localVariables: { area: 12 } },
    });
  },
);

test('if only structure is captured, traces have the steps and no values', async () => {
  app = new App('plain-http/app.js', { collector: address, env: { THROUGHLINE_CAPTURE: 'structure' } });
  await (await fetch(`${await app.ready()}/shout?who=nobody`, { method: 'POST', body: 'ada' })).text();
  const trace = await collector.trace('/shout');
  expect(trace.flow.map(({ stepName }) => stepName)).toContain('answerTo');
  expect(trace.flow.filter(({ metadata }) => metadata?.unfinished)).toEqual([]);
  expect(JSON.stringify(trace)).not.toMatch(/"ada|nobody|ADA/);
});

test('at a sample rate of 0, a fast, successful request is not sent, and a failed request is sent without steps and marked as unsampled', async () => {
  app = new App('express5-cjs/app.js', { collector: address, env: { THROUGHLINE_SAMPLE_RATE: '0' } });
  const url = await app.ready();
  await (await fetch(`${url}/users/1`)).text();
  await (await fetch(`${url}/sync-throw`)).text();
  const trace = await collector.trace('/sync-throw');
  expect(trace).toMatchObject({
    flow: [],
    request: { route: '/sync-throw' },
    error: { hasError: true, errorMessage: 'no price for gold' },
    attributes: { 'throughline.unsampled': 'error' },
  });
  expect(collector.traces.length).toBe(1);
});

test('modules that the app loads after init() are traced, and one line lists the modules that were loaded earlier', async () => {
  app = new App('init-in-code/app.js', { collector: address, flags: [] });
  const url = await app.ready();
  await (await fetch(`${url}/ignored`)).text();
  await (await fetch(`${url}/`)).text();
  const trace = await collector.trace('/');
  expect(collector.traces.map(({ request }) => request.path)).toEqual(['/']);
  expect(tree(trace)).toEqual([['GET /', ['greet', 'polish'], 'my step']]);
  expect(trace).toMatchObject({
    user: { id: '7', name: 'Ada' },
    sessionId: 's1',
    attributes: { basket: { items: 2 } },
  });
  expect(step(trace, 'my step')).toMatchObject({
    stepType: 'custom',
    outputs: 'done',
    metadata: { note: 'x', half: 21 },
  });
  expect(app.stderr).toBe(
    '[throughline] loaded before init, so not traced: app.js, early.js; to trace them, start with: node --import @throughline/node/auto app.js\n',
  );
});
