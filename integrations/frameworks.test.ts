import { connect } from 'node:http2';
import type { CapturedValue } from '@throughline/contract';
import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { frameworks } from './harness/frameworks.ts';
import { findLine, step, tree } from './harness/trees.ts';

const called = [['createOrder', ['priceLater', 'priceOf'], ['priceLater', 'priceOf']]];
const order = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    items: [
      { sku: 'cup', quantity: 9 },
      { sku: 'tea', quantity: 2 },
    ],
  }),
};

const form = { method: 'POST', body: new URLSearchParams({ a: '1', b: 'x y' }) };
/** Requests that are sent concurrently, because the SDK sends traces only twice a second. Each path occurs once, except `/text`. */
const asks: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/orders/corner', order],
  ['/fail/throw'],
  ['/fail/reject'],
  ['/fail/quiet'],
  ['/form', form],
  ['/blob'],
  ['/text'],
  ['/text', { method: 'HEAD' }],
  ['/cached'],
  ['/after'],
  ['/nowhere'],
];

/** Contains each framework once. `npm run test:long` also tries other versions of each framework, and other ways to load it. */
const eachOnce = frameworks.filter(
  ({ script }, index) => frameworks.findIndex((other) => other.script === script) === index,
);

describe.each(isThorough() ? frameworks : eachOnce)('$name', (framework) => {
  const { script, handler: [handlerSource, handler] = ['function placeOrder', 'placeOrder'] } = framework;
  const { route = '/orders/:shop', answers, unnamed = 'GET /text', ownErrors = false } = framework;
  const collector = new Collector();
  const pieces: string[] = [];
  let app: App;

  beforeAll(async () => {
    app = new App(`frameworks/${script}`, {
      collector: await collector.start(),
      ...(framework.env && { env: framework.env }),
    });
    const url = await app.ready();
    const hangUp = AbortSignal.timeout(100);
    await Promise.all([
      ...asks.map(async ([path, init]) => (await fetch(url + path, init)).text()),
      expect(fetch(`${url}/slow`, { signal: hangUp })).rejects.toThrow(),
      readStream(url, pieces),
    ]);
  });
  afterAll(async () => {
    await app.stop();
    await collector.stop();
    expect(app.stderr).toBe('');
  });

  function findHandler(trace: PostedTrace): PostedStep {
    const handlers = trace.flow.filter(({ stepType }) => stepType === 'handler');
    expect(handlers.length).toBe(1);
    return handlers[0] ?? step(trace, 'no handler');
  }

  async function textBy(method: string): Promise<PostedTrace> {
    const traces = await collector.awaitTraces('/text', 2);
    const trace = traces.find(({ request }) => request.method === method);
    if (trace === undefined) throw new Error(`no ${method} /text`);
    return trace;
  }

  test('an order is traced with its step tree, route, source positions and values', async () => {
    const trace = await collector.trace('/orders/corner');
    expect(tree(trace)).toEqual(framework.order(called));
    expect(trace).toMatchObject({
      request: { method: 'POST', body: { items: [{ sku: 'cup', quantity: 9 }, { sku: 'tea' }] } },
      response: { statusCode: 201, body: { shop: 'corner', sum: 89 } },
      error: { hasError: false },
    });
    expect(trace.request.route).toBe(route ?? undefined);
    expect(trace.attributes).toBeUndefined();
    expect(findHandler(trace)).toMatchObject({
      stepName: handler,
      functionName: handler,
      filePath: script,
      lineNumber: findLine(`frameworks/${script}`, handlerSource),
    });
    expect(step(trace, 'createOrder')).toMatchObject({
      stepType: 'function',
      filePath: 'lib/shop.js',
      lineNumber: findLine('frameworks/lib/shop.js', 'function createOrder'),
      inputs: { shop: 'corner', items: [{ sku: 'cup', quantity: 9 }, { sku: 'tea' }] },
      outputs: { shop: 'corner', sum: 89 },
      variables: { capturedAt: 'exit', localVariables: { amounts: [81, 8], sum: 89 } },
    });
    const unfinished = trace.flow.filter(({ metadata }) => metadata?.unfinished === true);
    expect(unfinished).toEqual([]);
    const steps = trace.flow.filter(({ stepType }) => stepType === 'function');
    expect(steps.every(({ filePath }) => filePath?.endsWith('.js'))).toBe(true);
  });

  test("the framework's objects are shown with their useful properties, and the trace is small", async () => {
    const trace = await collector.trace('/orders/corner');
    for (const [stepName, input, type, names] of framework.shown) {
      expect(step(trace, stepName).inputs).toMatchObject({ [input]: { $type: 'object', class: type } });
      expect(namesIn(step(trace, stepName).inputs, input)).toBe(names);
    }
    const sent = collector.bodies.flatMap(({ traces }) => traces).find(({ _id }) => _id === trace._id);
    expect(JSON.stringify(sent).length).toBeLessThan(10_000);
    expect(JSON.stringify(collector.bodies)).not.toContain('key that signs cookies');
  });

  test.each(['throw', 'reject'])('an error of a handler is shown on the throwing step (%s)', async (how) => {
    const trace = await collector.trace(`/fail/${how}`);
    expect(trace.response).toMatchObject({ statusCode: 500, body: { message: 'no price for gold' } });
    expect(trace.error).toEqual(
      ownErrors
        ? { hasError: true, errorMessage: '500 Internal Server Error', errorCode: '500' }
        : { hasError: true, errorMessage: 'no price for gold', errorCode: 'E_PRICE' },
    );
    const thrown = step(trace, 'priceOf');
    expect(thrown.error).toMatchObject({ message: 'no price for gold', name: 'PriceError', code: 'E_PRICE' });
    expect(thrown.error?.stack).toContain(
      `shop.js:${findLine('frameworks/lib/shop.js', 'throw new PriceError')}:`,
    );
    expect(thrown.variables).toMatchObject({ capturedAt: 'throw', parameters: { sku: 'gold' } });
    if (how === 'throw' && !ownErrors) {
      expect(findHandler(trace)).toMatchObject({
        error: { message: 'no price for gold' },
        metadata: { rethrown: true },
      });
    }
    if (answers !== undefined) expect(step(trace, answers).filePath).toBe(script);
  });

  test('a 5xx status is an error even if nothing was thrown', async () => {
    const trace = await collector.trace('/fail/quiet');
    expect(trace.response).toMatchObject({ statusCode: 503, body: { busy: true } });
    expect(trace.error).toEqual({
      hasError: true,
      errorMessage: '503 Service Unavailable',
      errorCode: '503',
    });
    expect(trace.flow.some(({ error }) => error)).toBe(false);
  });

  test('form and text bodies are shown, and other bodies by type and size', async () => {
    const form = await collector.trace('/form');
    expect(form.request.body).toEqual({ a: '1', b: 'x y' });
    expect(form.response).toMatchObject({ statusCode: 200, body: { a: '1', b: 'x y' } });
    expect((await collector.trace('/blob')).response.body).toEqual({
      $type: 'cut',
      of: 'application/octet-stream',
      size: 1000,
      reason: 'bytes',
    });
    const text = await textBy('GET');
    expect(text.response.body).toBe('plain');
    expect(findHandler(text)).toMatchObject({ stepName: unnamed, filePath: script });
  });

  test('responses to HEAD requests and 304 responses have no body', async () => {
    const head = await textBy('HEAD');
    expect(head.response.statusCode).toBe(200);
    expect(head.response.body).toBeUndefined();
    const cached = await collector.trace('/cached');
    expect(cached.response).toMatchObject({ statusCode: 304 });
    expect(cached.response.body).toBeUndefined();
    expect(cached.error.hasError).toBe(false);
  });

  test('server-sent events reach the client one by one, and are in the trace', async () => {
    expect(pieces).toEqual(['data: 1\n\n', 'data: 2\n\n']);
    const trace = await collector.trace('/stream');
    expect(trace.response.body).toBe('data: 1\n\ndata: 2\n\n');
    expect(trace.attributes).toBeUndefined();
  });

  test('a request is marked as aborted if the client disconnects', async () => {
    const trace = await collector.trace('/slow');
    expect(trace.attributes?.['throughline.aborted']).toBe(true);
    expect(trace.response.statusCode).toBeUndefined();
    expect(step(trace, 'dawdle').metadata?.unfinished).toBeUndefined();
  });

  test('work after the response is recorded and marked', async () => {
    const trace = await collector.trace('/after');
    expect(trace.response).toMatchObject({ body: { accepted: true } });
    expect(trace.attributes?.['throughline.afterResponseMs']).toBeGreaterThan(50);
    const isAwaited = findLine(`frameworks/${script}`, 'await audit(') > 0;
    expect(step(trace, 'audit').metadata).toEqual(isAwaited ? undefined : { detached: true });
    expect(step(trace, 'note')).toMatchObject({
      outputs: 'corner noted',
      metadata: { afterResponse: true },
    });
    expect(trace.timing.duration).toBeLessThan(step(trace, 'audit').duration);
  });

  test('a request with an unknown path has no route', async () => {
    const trace = await collector.trace('/nowhere');
    expect(trace.response.statusCode).toBe(404);
    expect(trace.request.route).toBeUndefined();
  });
});

/** Tests traces without any instrumented function, as in a service that excludes its own code, or whose middleware is all in libraries. */
describe.each(
  pickRows(
    frameworks.filter(({ ownErrors }) => ownErrors !== true),
    { usually: 2 },
  ),
)(
  '$name, with no function instrumented',
  ({ script, env, order: buildTree, bare, route = '/orders/:shop' }) => {
    const collector = new Collector();
    let app: App;

    beforeAll(async () => {
      const options = { collector: await collector.start(), env: { ...env, THROUGHLINE_EXCLUDE: '**' } };
      app = new App(`frameworks/${script}`, options);
      const url = await app.ready();
      const paths = ['/orders/corner', '/fail/throw', '/fail/reject'];
      await Promise.all(
        paths.map(async (path) => (await fetch(url + path, path === paths[0] ? order : {})).text()),
      );
    });
    afterAll(async () => {
      await app.stop();
      await collector.stop();
      expect(app.stderr).toBe('');
    });

    test('a trace has the steps of the framework', async () => {
      const trace = await collector.trace('/orders/corner');
      expect(tree(trace)).toEqual(bare ?? buildTree([]).flat());
      expect(trace.flow.filter(({ stepType }) => stepType === 'handler').length).toBe(1);
      expect(trace.request.route).toBe(route);
      expect(trace.flow.filter(({ metadata }) => metadata?.unfinished === true)).toEqual([]);
    });

    test.each(['throw', 'reject'])("an error is on the trace and on the handler's step (%s)", async (how) => {
      const trace = await collector.trace(`/fail/${how}`);
      expect(trace.error.errorMessage).toBe('no price for gold');
      const handlers = trace.flow.filter(({ stepType }) => stepType === 'handler');
      expect(handlers.length).toBe(1);
      if (bare === undefined) expect(handlers[0]?.error?.code).toBe('E_PRICE');
    });
  },
);

/**
 * Reads a stream, and lets the server send the rest only after the first chunk has arrived. Asks for no compression, because some
 * frameworks would compress and buffer the stream.
 */
async function readStream(url: string, pieces: string[]): Promise<void> {
  const { body } = await fetch(`${url}/stream`, { headers: { 'accept-encoding': 'identity' } });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    pieces.push(next.value);
    const body = JSON.stringify({ id: 1, how: 'goOn', waits: [], calls: [] });
    if (pieces.length === 1) await (await fetch(`${url}/plan`, { ...order, body })).text();
  }
}

describe('other protocols and hooks:', () => {
  const collector = new Collector();
  let app: App;

  async function start(script: string, env?: NodeJS.ProcessEnv): Promise<string> {
    app = new App(`frameworks/${script}`, { collector: await collector.start(), ...(env && { env }) });
    return app.ready();
  }
  afterEach(async () => {
    await app.stop();
    await collector.stop();
  });

  test('Fastify has the same steps over HTTP/2', async () => {
    const client = connect(await start('fastify.js', { HTTP2: '1' }));
    const stream = client.request({
      ':method': 'POST',
      ':path': '/orders/corner',
      'content-type': 'application/json',
    });
    stream.end(order.body);
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    client.close();
    expect(JSON.parse(text)).toEqual({ shop: 'corner', sum: 89 });
    const trace = await collector.trace('/orders/corner');
    expect(tree(trace)).toEqual(['tagRequest', 'checkStock', ['placeOrder', ...called]]);
    expect(trace).toMatchObject({
      request: { route: '/orders/:shop', body: { items: [{ sku: 'cup' }, { sku: 'tea' }] } },
      response: { statusCode: 201, body: { sum: 89 } },
    });
  });

  test('Fastify passes the host’s own functions to onRoute hooks, and these functions are still steps', async () => {
    const url = await start('fastify-routes.js');
    const seen = await (await fetch(`${url}/seen`)).json();
    expect(seen).toEqual([
      ['GET', '/seen', true, true, false],
      ['HEAD', '/seen', true, true, false],
      ['GET', '/replaced', false, false, false],
      ['HEAD', '/replaced', false, false, false],
    ]);
    expect(await (await fetch(`${url}/replaced`)).text()).toBe('replaced');
    expect(tree(await collector.trace('/seen'))).toEqual(['checkKey', 'showRoutes']);
    expect(tree(await collector.trace('/replaced'))).toEqual(['replaced']);
  });

  test('the handshake of a WebSocket is traced, and its messages are unchanged', async () => {
    const socket = new WebSocket(`${(await start('plain.js')).replace('http', 'ws')}/feed?room=1`);
    socket.addEventListener('open', () => socket.send('hello'));
    const said = await new Promise((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(data)),
    );
    expect(said).toBe('hello!');
    const trace = await collector.trace('/feed');
    expect(trace).toMatchObject({
      request: { method: 'GET', query: { room: '1' } },
      response: { statusCode: 101 },
      error: { hasError: false },
    });
    expect(tree(trace)[0]).toEqual(['join', 'sockets.handleUpgrade() callback']);
    socket.close();
  });
});

/** Returns the names of the captured properties of one object among a step's inputs. */
function namesIn(inputs: CapturedValue | undefined, input: string): string {
  const entries: [string, unknown][] = Object.entries(inputs ?? {});
  const [, shown] = entries.find(([name]) => name === input) ?? [];
  if (typeof shown !== 'object' || shown === null || !('properties' in shown)) return 'nothing';
  return Object.keys(shown.properties ?? {}).join(' ');
}
