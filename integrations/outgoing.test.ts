import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App, appNodeVersion } from './harness/app.ts';
import { step, tree } from './harness/trees.ts';

/** True if Node's `fetch` publishes the bodies of responses, so that the SDK can record them. */
const tellsBodies = Number.parseInt(appNodeVersion, 10) >= 24;

const collector = new Collector();
let app: App;
let url: string;

beforeAll(async () => {
  app = new App('outgoing/app.js', { collector: await collector.start() });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop();
  await collector.stop();
});

/**
 * Sends a request to the app. Returns its response, and the trace with this path. The service that the app calls sends traces, too, but
 * with other paths.
 */
async function ask(path: string): Promise<{ trace: PostedTrace; answer: unknown }> {
  const answer: unknown = await (await fetch(url + path)).json();
  return { trace: await collector.trace(path), answer };
}

function calls(trace: PostedTrace): PostedStep[] {
  return trace.flow.filter(({ stepType }) => stepType === 'http');
}

function parentName(trace: PostedTrace, { parentStepId }: PostedStep): string | undefined {
  return trace.flow.find(({ stepId }) => stepId === parentStepId)?.stepName;
}

test.each([
  ['/http', 'GET', 'new Promise() callback'],
  ['/fetch', 'POST', 'viaFetch'],
  ['/undici', 'GET', 'viaUndici'],
  ['/undici-fetch', 'GET', 'viaUndiciFetch'],
  ['/axios', 'GET', 'viaAxios'],
])(
  '%s: the outgoing request is a step below its caller, and has a traceparent',
  async (path, method, caller) => {
    const { trace, answer } = await ask(path);
    const [call, ...more] = calls(trace);
    if (call === undefined) throw new Error(`no call in ${JSON.stringify(tree(trace))}`);
    expect(more).toEqual([]);
    expect(call.stepName).toMatch(new RegExp(`^${method} 127\\.0\\.0\\.1:\\d+/echo$`));
    expect(parentName(trace, call)).toBe(caller);
    expect(call).toMatchObject({
      inputs: { method, url: expect.stringContaining('/echo') },
      metadata: { statusCode: 200, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) },
      outputs: { statusCode: 200, headers: { 'content-type': 'application/json' } },
    });
    expect(call.error).toBeUndefined();
    expect(call.metadata?.unfinished).toBeUndefined();
    expect(answer).toMatchObject({ traceparent: `00-${trace.traceId}-${call.metadata?.spanId}-01` });
    // The called service also runs the SDK, so its trace is part of the caller's distributed trace.
    const asked = await collector.awaitTraces('/echo', 1);
    expect(asked).toContainEqual(
      expect.objectContaining({ traceId: trace.traceId, parentSpanId: call.metadata?.spanId }),
    );
  },
);

test('the outgoing request and its response are shown without secrets', async () => {
  const { trace } = await ask('/post');
  const [call] = calls(trace);
  expect(call).toMatchObject({
    inputs: {
      method: 'POST',
      headers: { authorization: { $type: 'redacted' }, 'content-type': 'application/json' },
      body: { name: 'ada', password: { $type: 'redacted', of: 'string' } },
    },
    outputs: { statusCode: 200, body: { method: 'POST' } },
    metadata: { responseBytes: expect.any(Number) },
  });
  expect(JSON.stringify(trace)).not.toMatch(/s3cret|hunter2/);
});

test("a response with an error status is not an error of the outgoing request's step", async () => {
  const { trace } = await ask('/absent');
  expect(calls(trace)[0]).toMatchObject({ outputs: { statusCode: 404 }, metadata: { statusCode: 404 } });
  expect(calls(trace)[0]?.error).toBeUndefined();
});

test('a redirect that fetch follows is one step, with the last response', async () => {
  const { trace, answer } = await ask('/redirect');
  expect(calls(trace)).toHaveLength(1);
  expect(calls(trace)[0]).toMatchObject({
    stepName: expect.stringMatching(/\/moved$/),
    outputs: { statusCode: 200, ...(tellsBodies && { body: { method: 'GET' } }) },
  });
  expect(answer).toMatchObject({ method: 'GET' });
});

test('outgoing requests that fail are shown with their error', async () => {
  const { trace, answer } = await ask('/refused');
  expect(answer).toEqual(['TypeError', 'Error', 'TypeError']);
  const failed = calls(trace);
  expect(failed.map(({ error }) => error?.message)).toEqual([
    expect.stringMatching(/ECONNREFUSED|fetch failed/),
    expect.stringMatching(/ECONNREFUSED/),
    expect.stringMatching(/not an address|Failed to parse URL/),
  ]);
  expect(failed.every(({ metadata }) => metadata?.unfinished === undefined)).toBe(true);
});

test("a truncated response is an error of the outgoing request's step", async () => {
  const { trace } = await ask('/cut-off');
  expect(calls(trace)[0]).toMatchObject({
    error: { message: expect.any(String) },
    metadata: { statusCode: 200 },
  });
});

test('if the host does not read a response, the step ends with the response headers', async () => {
  const { trace, answer } = await ask('/unread');
  expect(answer).toBe(200);
  expect(calls(trace)[0]?.metadata).toMatchObject({ statusCode: 200 });
  expect(calls(trace)[0]?.metadata?.unfinished).toBeUndefined();
});

test('the traceparent that the host sets itself is not changed', async () => {
  const { answer } = await ask('/own-header');
  expect(answer).toMatchObject({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
});

test('each of several concurrent outgoing requests is below its own caller', async () => {
  await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/together`)).text()));
  const traces = await collector.awaitTraces('/together', 20);
  for (const trace of traces) {
    const pairs = calls(trace)
      .map(
        (call) => `${parentName(trace, call)} ${new URL(`http://${call.stepName.split(' ')[1]}`).pathname}`,
      )
      .sort();
    expect(pairs).toEqual([
      'new Promise() callback /echo',
      'viaAxios /echo',
      'viaFetch /echo',
      'viaUndici /echo',
      'viaUndiciFetch /echo',
    ]);
  }
});

test.runIf(isThorough())(
  'if only structure is captured, outgoing requests are shown without headers and bodies',
  async () => {
    const bare = new Collector();
    const second = new App('outgoing/app.js', {
      collector: await bare.start(),
      env: { THROUGHLINE_CAPTURE: 'structure' },
    });
    await (await fetch(`${await second.ready()}/post`)).text();
    const trace = await bare.trace('/post');
    const call = step(trace, trace.flow.find(({ stepType }) => stepType === 'http')?.stepName ?? '');
    expect(call.inputs).toBeUndefined();
    expect(call.outputs).toBeUndefined();
    expect(call.metadata).toMatchObject({ statusCode: 200 });
    await second.stop();
    await bare.stop();
  },
);
