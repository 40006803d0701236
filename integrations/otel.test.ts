import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { step, tree } from './harness/trees.ts';

const auto = ['--import', '@throughline/node/auto'];

/** A span as received by the host's own exporter. */
interface HostSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent?: string;
}

describe.each(
  pickRows(
    [
      ['the API alone', auto, {}, false],
      ["beside the host's SDK, which starts first", ['--require', './sdk.js', ...auto], {}, true],
      ["beside the host's SDK, which starts later", auto, { SDK: 'in-app' }, true],
    ],
    { usually: 1 },
  ),
)('%s', (_, flags, env, hasSdk) => {
  const collector = new Collector();
  let app: App;
  let url: string;

  beforeAll(async () => {
    app = new App('otel/app.js', {
      collector: await collector.start(),
      flags,
      // Turns metrics and logs off, because they would need a collector.
      env: { ...env, OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
    });
    url = await app.ready();
  });
  afterAll(async () => {
    await app.stop();
    await collector.stop();
  });

  async function ask(path: string): Promise<{ trace: PostedTrace; answer: unknown }> {
    const answer: unknown = await (await fetch(url + path)).json();
    return { trace: await collector.trace(path), answer };
  }

  test('a span is a step below the function that starts the span, and above the functions that run within the span', async () => {
    const { trace, answer } = await ask('/price');
    expect(answer).toBe(3);
    expect(tree(trace)).toEqual([
      [
        'request handler',
        [
          'routes./price',
          [
            'price',
            [
              'price it',
              [
                "tracer.startActiveSpan('price it') callback",
                'new Promise() callback',
                ['lookUp', 'SELECT prices', 'new Promise() callback'],
              ],
            ],
          ],
        ],
      ],
    ]);
    expect(step(trace, 'price it')).toMatchObject({
      stepType: 'custom',
      metadata: { sku: 'cup', amount: 3, tracer: 'shop', spanId: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    expect(step(trace, 'SELECT prices')).toMatchObject({
      stepType: 'database',
      inputs: { statement: 'SELECT amount FROM prices WHERE sku = ?' },
      metadata: {
        'db.system.name': 'postgresql',
        events: [{ name: 'row read', attributes: { sku: 'cup' } }],
      },
    });
    expect(JSON.stringify(step(trace, 'SELECT prices'))).not.toContain('secret');
  });

  test('an error recorded on a span is shown on the step of the span', async () => {
    const { trace } = await ask('/fail');
    expect(step(trace, 'risky').error?.message).toBe('too much');
  });

  test('a span is below a parent that the host set explicitly', async () => {
    const { trace, answer } = await ask('/by-hand');
    expect(answer).toBe(true);
    expect(tree(trace, step(trace, 'byHand').stepId)).toEqual([
      ['outer', 'inner', 'context.with() callback'],
    ]);
  });

  test('each concurrent span is below its own parent', async () => {
    await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/together`)).text()));
    for (const trace of await collector.awaitTraces('/together', 20)) {
      const prices = trace.flow.filter(({ stepName }) => stepName === 'price');
      expect(prices.map(({ inputs }) => inputs)).toEqual([{ sku: 'a' }, { sku: 'bb' }, { sku: 'ccc' }]);
      for (const [index, price] of prices.entries()) {
        expect(JSON.stringify(tree(trace, price.stepId))).toContain('"lookUp","SELECT prices"');
        const below = trace.flow.find(({ parentStepId }) => parentStepId === price.stepId);
        expect(below).toMatchObject({ stepName: 'price it', metadata: { amount: index + 1 } });
      }
    }
  });

  test('a traceparent that the host injects into a message contains the id of the trace', async () => {
    const { trace, answer } = await ask('/carried');
    expect(answer).toMatchObject({
      traceparent: expect.stringMatching(`^00-${trace.traceId}-[0-9a-f]{16}-01$`),
    });
  });

  test('the SDK writes nothing to stderr', () => {
    expect(app.stderr).toBe('');
  });

  if (hasSdk) {
    test("the host's OpenTelemetry SDK gets the host's spans completely, in the same trace", async () => {
      await ask('/price');
      const traces = await collector.awaitTraces('/price', 1);
      const spans: HostSpan[] = JSON.parse(await (await fetch(`${url}/host-spans`)).text());
      for (const trace of traces) {
        const own = spans.filter(({ traceId }) => traceId === trace.traceId);
        expect(own.map(({ name }) => name).sort()).toEqual(['GET', 'SELECT prices', 'price it']);
        const server = own.find(({ kind }) => kind === 1);
        const priced = own.find(({ name }) => name === 'price it');
        const asked = own.find(({ name }) => name === 'SELECT prices');
        expect(priced?.parent).toBe(server?.spanId);
        expect(asked?.parent).toBe(priced?.spanId);
        expect(step(trace, 'price it').metadata?.spanId).toBe(priced?.spanId);
      }
    });
  } else {
    test('the active span is the step of the running function', async () => {
      const { trace, answer } = await ask('/active');
      expect(answer).toBe(true);
      expect(step(trace, 'annotateActive').metadata).toMatchObject({ 'from active': 'yes' });
    });
  }
});
