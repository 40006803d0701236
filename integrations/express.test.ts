import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App, apiKey, appNodeVersion } from './harness/app.ts';
import { findLine, step, tree } from './harness/trees.ts';

describe.each(
  pickRows(
    [
      ['Express 5, CommonJS, --require', 'express5-cjs', ['--require', '@throughline/node/auto'], {}],
      ['Express 5, ES modules, --import', 'express5-esm', ['--import', '@throughline/node/auto'], {}],
      [
        'Express 4 under an alias',
        'express5-cjs',
        ['--import', '@throughline/node/auto'],
        { EXPRESS: 'express4' },
      ],
    ],
    { usually: 1 },
  ),
)('%s', (_name, fixture, flags, env) => {
  const collector = new Collector();
  let app: App;
  let url: string;

  beforeAll(async () => {
    app = new App(`${fixture}/app.js`, { collector: await collector.start(), flags, env });
    url = await app.ready();
  });
  afterAll(async () => {
    await app.stop();
    await collector.stop();
  });

  async function ask(path: string, init?: RequestInit): Promise<PostedTrace> {
    await (await fetch(url + path, init)).text();
    return collector.trace(path);
  }

  const order = (items: unknown) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  });

  test('an order is traced with its step tree, source positions and values', async () => {
    const trace = await ask(
      '/orders/corner',
      order([
        { sku: 'cup', quantity: 9 },
        { sku: 'tea', quantity: 2 },
      ]),
    );
    expect(tree(trace)).toEqual([
      'jsonParser',
      'tagRequest',
      [
        'placeOrder',
        [
          'createOrder',
          'register',
          [
            'total',
            ['priceLater', 'priceOf'],
            ['priceLater', 'priceOf'],
            'amounts.reduce() callback',
            'amounts.reduce() callback',
          ],
          'slowFee',
          'quickFee',
        ],
      ],
    ]);
    expect(
      trace.flow.filter(({ stepName, metadata }) => stepName !== 'slowFee' && metadata?.unfinished),
    ).toEqual([]);
    expect(trace).toMatchObject({
      request: { method: 'POST', route: '/orders/:shop', body: { items: [{ sku: 'cup', quantity: 9 }, {}] } },
      response: { statusCode: 201, body: { shop: 'corner', sum: 89, fee: 1 } },
      error: { hasError: false },
    });
    expect(step(trace, 'placeOrder')).toMatchObject({
      stepType: 'handler',
      functionName: 'placeOrder',
      filePath: 'app.js',
      lineNumber: findLine(`${fixture}/app.js`, 'function placeOrder'),
    });
    expect(step(trace, 'createOrder')).toMatchObject({
      stepType: 'function',
      filePath: 'lib/orders.js',
      lineNumber: findLine(`${fixture}/lib/orders.js`, 'function createOrder'),
      inputs: {
        shop: 'corner',
        items: [
          { sku: 'cup', quantity: 9 },
          { sku: 'tea', quantity: 2 },
        ],
      },
      outputs: { shop: 'corner', sum: 89, fee: 1 },
      variables: {
        capturedAt: 'exit',
        parameters: { shop: 'corner' },
        localVariables: { line: { state: 'changed', shop: 'corner' }, sum: 89, fee: 1 },
        returnValue: { shop: 'corner', sum: 89, fee: 1 },
      },
    });
    // Expects the value at the time of the call, not the later value.
    expect(step(trace, 'register').inputs).toEqual({ line: { state: 'new', shop: 'corner' } });
  });

  test('an error is shown on the step that threw, on the steps of the functions that called it, and on the trace', async () => {
    const trace = await ask('/orders/dear', order([{ sku: 'gold', quantity: 1 }]));
    expect(trace.response).toMatchObject({ statusCode: 500, body: { message: 'no price for gold' } });
    expect(trace.error).toEqual({ hasError: true, errorMessage: 'no price for gold', errorCode: 'E_PRICE' });
    const thrown = step(trace, 'priceOf');
    expect(thrown.error).toMatchObject({ message: 'no price for gold', name: 'PriceError', code: 'E_PRICE' });
    expect(thrown.variables).toMatchObject({ capturedAt: 'throw', parameters: { sku: 'gold', quantity: 1 } });
    expect(thrown.error?.stack).toContain(
      `orders.js:${findLine(`${fixture}/lib/orders.js`, 'throw new PriceError')}:`,
    );
    expect(thrown.metadata?.rethrown).toBeUndefined();
    for (const name of ['priceLater', 'total', 'createOrder', 'placeOrder']) {
      expect(step(trace, name)).toMatchObject({
        error: { message: 'no price for gold' },
        metadata: { rethrown: true },
      });
    }
    expect(step(trace, 'answerError')).toMatchObject({ stepType: 'middleware', functionName: 'answerError' });
  });

  test('an error thrown synchronously is caught by the framework, and shown', async () => {
    const trace = await ask('/sync-throw');
    expect(trace.error.errorMessage).toBe('no price for gold');
    expect(step(trace, 'priceOf').error?.message).toBe('no price for gold');
    expect(trace.flow.find(({ stepType }) => stepType === 'handler')?.error?.message).toBe(
      'no price for gold',
    );
  });

  test('nested callbacks and timers are below the function that contains them', async () => {
    const trace = await ask('/callbacks');
    expect(trace.response.body).toEqual({ four: 4 });
    const handler = trace.flow.find(({ stepType }) => stepType === 'handler');
    expect(tree(trace, handler?.stepId)).toEqual([
      ['later', ['fire', 'double', ['first', ['later', ['fire', 'double', 'second']]]]],
    ]);
  });

  test('constructors, methods and recursive calls are steps', async () => {
    const trace = await ask('/counter');
    const handler = trace.flow.find(({ stepType }) => stepType === 'handler');
    expect(tree(trace, handler?.stepId)).toEqual([
      'new Counter',
      'Counter.add',
      ['countDown', ['countDown', 'countDown']],
    ]);
    expect(step(trace, 'Counter.add')).toMatchObject({
      outputs: 42,
      variables: { thisContext: { $type: 'object', class: 'Counter', properties: { count: 42 } } },
    });
  });

  test('each of 50 concurrent requests has exactly its own steps', async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `t${index}`);
    await Promise.all(
      tags.map(async (tag) => (await fetch(`${url}/overlap`, { headers: { 'x-tag': tag } })).text()),
    );
    const traces = await collector.awaitTraces('/overlap', tags.length);
    expect(traces.length).toBe(tags.length);
    expect(new Set(traces.map((trace) => trace.request.headers?.['x-tag']))).toEqual(new Set(tags));
    for (const trace of traces) {
      const tag = trace.request.headers?.['x-tag'];
      const below = tree(trace, trace.flow.find(({ stepType }) => stepType === 'handler')?.stepId);
      expect(below[0]).toEqual(['work', ...Array(3).fill(['part', 'label'])]);
      expect(below.slice(1)).toHaveLength(2);
      const labels = trace.flow.filter(({ stepName }) => stepName === 'label');
      for (const label of labels) expect(label.inputs).toMatchObject({ tag });
      const rounds = labels.map(({ inputs }) => inputs).sort();
      expect(rounds.length).toBeGreaterThanOrEqual(4);
      expect(trace.response.body).toEqual([`${tag}/0`, `${tag}/1`, `${tag}/2`]);
    }
  });

  test('the service sends its name, version, runtime and API key', async () => {
    await ask('/users/7');
    const [body] = collector.bodies;
    expect(body?.sdk.name).toBe('@throughline/node');
    expect(body?.service).toMatchObject({
      name: `fixture-${fixture}`,
      version: '1.2.3',
      runtime: `node ${appNodeVersion}`,
    });
    expect(collector.keys).toEqual(new Set([apiKey]));
    expect(app.stderr).toBe('');
  });
});
