import { answer, Collector, type Reply, storeAll } from '@throughline/testkit/collector';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Exporter } from './exporter.ts';
import { makeLargeTrace, makeTrace } from './trace.fixture.ts';

const DOCTOR = 'npx @throughline/node doctor tests key and server';

let collector: Collector;
let exporter: Exporter;
let lines: string[];

beforeEach(async () => {
  lines = [];
  collector = new Collector();
  exporter = new Exporter({
    url: await collector.start(),
    apiKey: 'tl_test',
    sdk: { name: '@throughline/node', version: '0.0.0' },
    service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
    report: (line) => lines.push(line),
    // Longer than any test, so that only a flush sends traces: the traces of a test are in one batch however slow the machine is.
    delayMs: 60_000,
  });
});

afterEach(async () => {
  await exporter.shutdown(0);
  await collector.stop();
});

describe('a trace that the server does not accept', () => {
  it('is reported with the same line, regardless of the position of the invalid field', async () => {
    collector.reply = (response, _, nth) => {
      const message = `traces[${nth}].flow[${nth * 7}].repeat.count: must be at least 1`;
      answer(response, 200, { accepted: 0, rejected: [{ index: nth, code: 'invalid_trace', message }] });
    };
    for (const id of ['a', 'b', 'c']) {
      exporter.send(makeTrace(id));
      await exporter.flush();
    }
    expect(exporter.counters.rejected).toBe(3);
    const line = `the server rejects traces: invalid_trace: flow[].repeat.count: must be at least 1; ${DOCTOR}`;
    expect(lines).toEqual([line, line, line]);
  });
});

describe('a trace that is too large for a proxy', () => {
  const OUT =
    'the values of a trace were left out, because its request is too large for the server or a proxy (413); raise the limit there, in nginx client_max_body_size';
  const LOST = `traces were dropped, because the server does not accept them: it is too large (413); raise the limit of the server or a proxy, in nginx client_max_body_size; ${DOCTOR}`;

  /** Responds to requests with more than this number of bytes as nginx does, and accepts all others. */
  const limitTo = (bytes: number): Reply => {
    return (response, received, nth) =>
      received.bytes.length > bytes
        ? answer(response, 413, '<html><h1>413 Request Entity Too Large</h1></html>')
        : storeAll(response, received, nth);
  };

  it.each([
    ['alone', []],
    ['in a batch with another trace', ['b']],
  ])('is sent once more without its values after it was sent %s', async (_, others) => {
    collector.reply = limitTo(30_000);
    exporter.send(makeTrace('large', 'x'.repeat(70_000)));
    for (const id of others) exporter.send(makeTrace(id));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 1 + others.length, rejected: 0, lost: 0 });
    expect(collector.traces.find(({ _id }) => _id === 'large')).toMatchObject({
      attributes: { 'throughline.withoutValues': 'size' },
      dropped: { values: 1, bytes: expect.closeTo(70_100, -3) },
      flow: [{ stepName: 'work', duration: 1 }],
    });
    const unchanged = collector.traces.filter(({ _id }) => _id !== 'large');
    for (const { flow } of unchanged) expect(flow[0]).toMatchObject({ inputs: { n: 1 } });
    const keys = collector.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(keys.length);
    expect(lines).toEqual([OUT]);
    expect(exporter.heldBytes).toBe(0);
  });

  it('is lost and reported if removing its values would block the host for long', async () => {
    collector.reply = limitTo(30_000);
    exporter.send(makeTrace('large', Array<string>(20).fill('x'.repeat(60_000))));
    expect(await exporter.flush()).toBe(true);
    expect(collector.ids()).toEqual(['large']);
    expect(exporter.counters).toEqual({ accepted: 0, rejected: 0, lost: 1 });
    expect(lines).toEqual([LOST]);
  });

  it('is lost and reported if it is too large without its values, too', async () => {
    collector.reply = limitTo(30_000);
    exporter.send(makeLargeTrace('large'));
    expect(await exporter.flush()).toBe(true);
    expect(collector.ids()).toEqual(['large', 'large']);
    expect(exporter.counters).toEqual({ accepted: 0, rejected: 0, lost: 1 });
    expect(lines).toEqual([OUT, LOST]);
  });
});

describe('a batch with invalid JSON', () => {
  const sendFive = async () => {
    for (const id of ['a', 'b', 'bad', 'c', 'd']) exporter.send(makeTrace(id));
    expect(await exporter.flush()).toBe(true);
  };

  it('is split until only the invalid trace is lost, which is reported once', async () => {
    collector.reply = (response, received, nth) =>
      received.posted.traces.some(({ _id }) => _id === 'bad')
        ? answer(response, 400, { error: { code: 'invalid_json', message: 'traces[2] is not JSON' } })
        : storeAll(response, received, nth);
    await sendFive();
    expect(exporter.counters).toEqual({ accepted: 4, rejected: 0, lost: 1 });
    expect(collector.traces.map(({ _id }) => _id).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(lines).toEqual([
      `traces were dropped, because the server does not accept them: 400 invalid_json; ${DOCTOR}`,
    ]);
  });

  it.each([
    ['first and last', [0, 127]],
    ['adjacent', [40, 41]],
    ['three adjacent', [0, 1, 2]],
    ['in the same half', [3, 60]],
    ['four', [10, 50, 90, 120]],
  ])('is split until only the invalid traces are lost: %s', async (_, invalid) => {
    const bad = new Set(invalid.map((index) => `${index}`));
    collector.reply = (response, received, nth) =>
      received.posted.traces.some(({ _id }) => bad.has(_id))
        ? answer(response, 400, { error: { code: 'invalid_json' } })
        : storeAll(response, received, nth);
    for (let index = 0; index < 128; index++) exporter.send(makeTrace(`${index}`));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 128 - bad.size, rejected: 0, lost: bad.size });
    expect(collector.received.length).toBeLessThanOrEqual(1 + 2 * bad.size * Math.log2(128));
    expect(exporter.heldBytes).toBe(0);
  });

  it('is dropped after a limited number of requests if every other trace is invalid', async () => {
    collector.reply = (response, received, nth) =>
      received.posted.traces.some(({ _id }) => Number(_id) % 2 === 0)
        ? answer(response, 400, { error: { code: 'invalid_json' } })
        : storeAll(response, received, nth);
    for (let index = 0; index < 128; index++) exporter.send(makeTrace(`${index}`));
    expect(await exporter.flush()).toBe(true);
    expect(collector.received.length).toBeLessThanOrEqual(97);
    const { accepted, lost } = exporter.counters;
    expect(accepted + lost).toBe(128);
    expect(exporter.heldBytes).toBe(0);
  });

  it('is dropped after few requests if the cause is a proxy that breaks every body', async () => {
    collector.reply = (response) => answer(response, 400, { error: { code: 'invalid_json' } });
    for (let index = 0; index < 64; index++) exporter.send(makeTrace(`${index}`));
    expect(await exporter.flush()).toBe(true);
    expect(collector.received.length).toBeLessThanOrEqual(4 * Math.log2(64) + 3);
    expect(exporter.counters).toEqual({ accepted: 0, rejected: 0, lost: 64 });
    expect(new Set(lines).size).toBe(1);
  });

  it.each(['validation_failed', 'invalid_encoding', undefined])(
    'is not split if the error code is %s, which each part of the batch would cause, too',
    async (code) => {
      collector.reply = (response) => answer(response, 400, { error: { code } });
      await sendFive();
      expect(collector.received).toHaveLength(1);
      expect(exporter.counters).toEqual({ accepted: 0, rejected: 0, lost: 5 });
    },
  );
});

describe('a trace that cannot be serialized', () => {
  const OUT = 'the values of a trace were left out, because they could not be serialized';
  const LOST = 'a trace was lost, because it could not be serialized';

  /** A value that throws when it is read. Reading an ordinary value throws, too, if the host has patched a built-in. */
  const failing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('patched');
      },
      ownKeys: () => {
        throw new Error('patched');
      },
    },
  );

  it('is sent without its values if only the values cannot be serialized', async () => {
    exporter.send(makeTrace('a', failing));
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 2, rejected: 0, lost: 0 });
    const [a, b] = collector.traces;
    expect(a).toMatchObject({
      _id: 'a',
      attributes: { 'throughline.withoutValues': 'fault' },
      dropped: { values: 1 },
      flow: [{ stepName: 'work', duration: 1 }],
    });
    expect(a?.flow[0]).not.toHaveProperty('inputs');
    expect(b?.flow[0]).toMatchObject({ inputs: { n: 1 } });
    expect(lines).toEqual([OUT]);
  });

  it('is sent without texts that can repeat a secret of a value that was not read', async () => {
    const secret = 'Xk29fjQ2mz';
    const text = `no user has ${secret}`;
    const trace = makeTrace('a', failing);
    const [step] = trace.flow;
    if (step === undefined) throw new Error('The trace has no step.');
    const error = { name: 'Error', message: text, stack: `Error: ${text}\n    at find (users.js:1:1)` };
    exporter.send({
      ...trace,
      request: { ...trace.request, path: `/users/${secret}` },
      error: { hasError: true, errorMessage: text, errorCode: null },
      user: { id: '7', note: text },
      attributes: { note: text },
      flow: [
        step,
        { ...step, stepId: '2', inputs: { changes: [{ name: 'password', value: secret }] }, error },
      ],
    });
    expect(await exporter.flush()).toBe(true);
    expect(collector.traces).toMatchObject([
      { error: { hasError: true }, user: { id: '7' }, flow: [{}, { error: { name: 'Error' } }] },
    ]);
    expect(JSON.stringify(collector.traces)).not.toContain(secret);
  });

  it('is counted as lost and reported if it cannot be serialized without its values, too', async () => {
    exporter.send({ ...makeTrace('a'), attributes: { failing } });
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 1, rejected: 0, lost: 1 });
    expect(collector.received[0]?.posted.lost).toEqual({ traces: 1 });
    expect(lines).toEqual([LOST]);
  });
});
