import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer as createTcpServer } from 'node:net';
import { answer, Collector, storeAll } from '@throughline/testkit/collector';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Exporter } from './exporter.ts';
import type { ExporterOptions } from './exporter-options.ts';
import { makeLargeTrace, makeTrace } from './trace.fixture.ts';

let collector: Collector;
let lines: string[];
const exporters: Exporter[] = [];

function makeExporter(options: Partial<ExporterOptions> = {}): Exporter {
  const exporter = new Exporter({
    url: collector.url,
    apiKey: 'tl_test',
    sdk: { name: '@throughline/node', version: '0.0.0' },
    service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
    report: (line) => lines.push(line),
    delayMs: 20,
    ...options,
  });
  exporters.push(exporter);
  return exporter;
}

beforeEach(async () => {
  lines = [];
  collector = new Collector();
  await collector.start();
});

afterEach(async () => {
  await Promise.all(exporters.splice(0).map((exporter) => exporter.shutdown(0)));
  await collector.stop();
});

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000 });

describe('sending', () => {
  it('delivers traces in one request, compressed, redacted and with the API key', async () => {
    const exporter = makeExporter({ redact: { keys: ['nickname'] } });
    exporter.send(makeTrace('a', { password: 'hunter2', nickname: 'bob', note: '日本 🎉' }));
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(collector.received).toHaveLength(1);
    const [request] = collector.received;
    expect(request?.path).toBe('/api/ingest/traces');
    expect(request?.headers).toMatchObject({ 'x-api-key': 'tl_test', 'content-encoding': 'zstd' });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(request?.posted).toMatchObject({
      sdk: { name: '@throughline/node' },
      service: { name: 'shop' },
      traces: [
        {
          _id: 'a',
          flow: [
            {
              inputs: {
                password: { $type: 'redacted', of: 'string' },
                nickname: { $type: 'redacted', of: 'string' },
                note: '日本 🎉',
              },
            },
          ],
        },
        { _id: 'b' },
      ],
    });
    expect(exporter.counters).toEqual({ accepted: 2, rejected: 0, lost: 0 });
    expect(exporter.isIdle).toBe(true);
    expect(lines).toEqual([]);
  });

  it('delivers traces without a flush', async () => {
    makeExporter().send(makeTrace('a'));
    await until(() => collector.ids().length === 1);
  });

  it('serializes a trace as soon as the trace is passed to the exporter', async () => {
    const exporter = makeExporter();
    exporter.send(makeTrace('a'));
    expect(exporter.heldBytes).toBeGreaterThan(100);
    expect(collector.ids()).toEqual([]);
    await exporter.flush();
    expect(collector.ids()).toEqual(['a']);
  });

  it('limits requests to about a megabyte', async () => {
    const exporter = makeExporter();
    for (let index = 0; index < 30; index++) exporter.send(makeTrace(`${index}`, 'x'.repeat(100_000)));
    await exporter.flush();
    expect(collector.ids().toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 30 }, (_, index) => `${index}`),
    );
    expect(collector.received.length).toBeGreaterThan(2);
    for (const { bytes } of collector.received) expect(bytes.length).toBeLessThan(1_200_000);
  });

  it('uses one connection for consecutive requests', async () => {
    const exporter = makeExporter();
    const ports = new Set<number | undefined>();
    collector.reply = (response, received, nth) => {
      ports.add(response.socket?.remotePort);
      storeAll(response, received, nth);
    };
    for (const id of ['a', 'b', 'c']) {
      exporter.send(makeTrace(id));
      await exporter.flush();
    }
    expect(collector.received).toHaveLength(3);
    expect(ports.size).toBe(1);
  });

  it('runs outside of any request of the host', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const exporter = context.run('at the start', () =>
      makeExporter({ onSettings: () => seen.push(context.getStore()) }),
    );
    collector.reply = (response) => answer(response, 200, { accepted: 1, rejected: [], settings: {} });
    context.run('a request', () => exporter.send(makeTrace('a')));
    await vi.waitFor(() => expect(seen).toEqual(['at the start']));
    context.run('another', () => exporter.send(makeTrace('b')));
    await context.run('a third', () => exporter.flush());
    expect(seen).toEqual(['at the start', 'at the start']);
  });

  it('passes the settings of each response to onSettings, even if onSettings throws', async () => {
    const got: unknown[] = [];
    const exporter = makeExporter({
      onSettings: (settings) => {
        got.push(settings);
        throw new Error('not today');
      },
    });
    collector.reply = (response) =>
      answer(response, 200, { accepted: 1, rejected: [], settings: { sampleRate: 0.1 } });
    exporter.send(makeTrace('a'));
    expect(await exporter.flush()).toBe(true);
    expect(got).toEqual([{ sampleRate: 0.1 }]);
  });
});

describe('sending despite failures', () => {
  it('delivers each trace once when the server is back', async () => {
    const port = Number(new URL(collector.url).port);
    await collector.stop();
    const exporter = makeExporter();
    for (const id of ['a', 'b', 'c']) exporter.send(makeTrace(id));
    expect(await exporter.flush(300)).toBe(false);
    collector = new Collector();
    await collector.start(port);
    await until(() => exporter.isIdle);
    expect(collector.ids()).toEqual(['a', 'b', 'c']);
    expect(exporter.counters).toEqual({ accepted: 3, rejected: 0, lost: 0 });
  });

  it.each([429, 500, 502, 503, 408])('repeats a batch with the same key after status %i', async (status) => {
    const exporter = makeExporter();
    collector.reply = (response, received, nth) =>
      nth === 1
        ? answer(response, status, { error: { code: 'x' } }, { 'retry-after': '0' })
        : storeAll(response, received, nth);
    exporter.send(makeTrace('a'));
    expect(await exporter.flush()).toBe(true);
    expect(collector.ids()).toEqual(['a', 'a']);
    const keys = collector.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe(keys[1]);
    expect(exporter.counters).toEqual({ accepted: 1, rejected: 0, lost: 0 });
  });

  it('waits for the time in Retry-After, even if the host calls flush', async () => {
    const exporter = makeExporter();
    const times: number[] = [];
    collector.reply = (response, received, nth) => {
      times.push(performance.now());
      if (nth === 1) answer(response, 503, {}, { 'retry-after': '1' });
      else storeAll(response, received, nth);
    };
    exporter.send(makeTrace('a'));
    expect(await exporter.flush(400)).toBe(false);
    exporter.send(makeTrace('b'));
    expect(await exporter.flush(10_000)).toBe(true);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
    expect(collector.received).toHaveLength(3);
  });

  it('ends a flush with one reported line if the server requests a long wait, such as until a quota is renewed', async () => {
    const exporter = makeExporter();
    collector.reply = (response) =>
      answer(response, 429, { error: { code: 'quota_exceeded' } }, { 'retry-after': '864000' });
    exporter.send(makeTrace('a'));
    expect(await exporter.flush(10_000)).toBe(false);
    expect(lines).toEqual(['traces cannot be sent now and are sent later: 429 quota_exceeded']);
    expect(exporter.counters.lost).toBe(0);
  });

  it('recovers from a reset connection and an incomplete response', async () => {
    const exporter = makeExporter();
    collector.reply = (response, received, nth) => {
      if (nth === 1) response.socket?.resetAndDestroy();
      else if (nth === 2)
        response.writeHead(200, { 'content-length': '100' }).write('{"acc', () => response.destroy());
      else storeAll(response, received, nth);
    };
    exporter.send(makeTrace('a'));
    expect(await exporter.flush(10_000)).toBe(true);
    expect(collector.ids()).toEqual(['a', 'a', 'a']);
  });

  it('stores each trace once despite a mixture of failures, if the server supports idempotency keys', async () => {
    const exporter = makeExporter({ delayMs: 5 });
    const stored = new Map<unknown, readonly string[]>();
    let troubles = 0;
    collector.reply = (response, received, nth) => {
      const trouble = nth <= 12 ? (nth * 7) % 5 : 0;
      if (trouble > 0) troubles++;
      if (trouble === 1) return answer(response, 503, {}, { 'retry-after': '0' });
      const key = received.headers['idempotency-key'];
      if (trouble === 2 && received.posted.traces.length > 1 && !stored.has(key))
        return answer(response, 413, {});
      stored.set(
        key,
        received.posted.traces.map((trace) => trace._id),
      );
      // The server stores the batch, but the exporter gets no response.
      if (trouble === 3) return void response.socket?.resetAndDestroy();
      if (trouble === 4) return answer(response, 500, {}, { 'retry-after': '0' });
      return storeAll(response, received, nth);
    };
    for (let index = 0; index < 120; index++) {
      exporter.send(makeTrace(`${index}`, 'x'.repeat(index % 3 === 0 ? 60_000 : 10)));
      if (index % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await exporter.flush(25_000)).toBe(true);
    const ids = [...stored.values()].flat();
    expect(troubles).toBeGreaterThan(5);
    expect(exporter.counters.lost).toBe(0);
    expect(ids.length).toBe(new Set(ids).size);
    expect(ids.length).toBe(120);
  });

  it('survives a server that does not speak HTTP', async () => {
    const garbage = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('\u0000\u0001 220 smtp ready\r\n');
    });
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const address = garbage.address();
    const exporter = makeExporter({
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    });
    exporter.send(makeTrace('a'));
    expect(await exporter.flush(300)).toBe(false);
    expect(exporter.counters.lost).toBe(0);
    await exporter.shutdown(0);
    expect(exporter.counters.lost).toBe(1);
    garbage.close();
  });

  it('reports a wrong API key, holds about 1 MB of traces at most while the key is refused, and sends again after a successful probe', async () => {
    const exporter = makeExporter({ probeMs: 300 });
    collector.reply = (response) => answer(response, 401, { error: { code: 'invalid_api_key' } });
    exporter.send(makeTrace('a'));
    expect(await exporter.flush(200)).toBe(false);
    for (let index = 0; index < 200; index++) exporter.send(makeLargeTrace(`${index}`));
    await until(() => exporter.counters.lost > 100);
    expect(exporter.heldBytes).toBeLessThan(1_100_000);
    expect(collector.received.length).toBeLessThan(4);
    expect(new Set(lines)).toEqual(
      new Set([
        'traces are not sent: the API key is not valid (401 invalid_api_key); npx @throughline/node doctor tests key and server',
      ]),
    );
    collector.reply = storeAll;
    await until(() => exporter.isIdle);
    expect(exporter.counters.accepted).toBeGreaterThan(0);
    expect(exporter.counters.accepted + exporter.counters.lost).toBe(201);
    expect(lines.at(-1)).toBe('the server accepts traces again');
  });

  it.each([402, 404])(
    'sends nothing after a response with the status %i until the next probe, and a flush does not wait',
    async (status) => {
      const exporter = makeExporter();
      collector.reply = (response) => answer(response, status, '');
      exporter.send(makeTrace('a'));
      expect(await exporter.flush(5000)).toBe(false);
      exporter.send(makeTrace('b'));
      expect(await exporter.flush(60_000)).toBe(false);
      expect(collector.received).toHaveLength(1);
      expect(lines).toHaveLength(1);
    },
  );

  it('splits a batch after a 413 until only the trace that is too large is left', async () => {
    const exporter = makeExporter();
    collector.reply = (response, received, nth) =>
      received.posted.traces.some((trace) => trace._id === 'big')
        ? answer(response, 413, {})
        : storeAll(response, received, nth);
    for (const id of ['a', 'b', 'big', 'c', 'd']) exporter.send(makeTrace(id));
    expect(await exporter.flush(10_000)).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 4, rejected: 0, lost: 1 });
    const keys = collector.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('drops a batch after a 400 and sends the next batch', async () => {
    const exporter = makeExporter();
    collector.reply = (response, received, nth) =>
      nth === 1 ? answer(response, 400, {}) : storeAll(response, received, nth);
    exporter.send(makeTrace('a'));
    expect(await exporter.flush()).toBe(true);
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 1, rejected: 0, lost: 1 });
    expect(collector.received[1]?.posted.lost).toEqual({ traces: 1 });
    expect(lines).toHaveLength(1);
  });

  it('counts rejected traces and reports the reason of the first rejection', async () => {
    const exporter = makeExporter();
    const rejected = [{ index: 0, code: 'too_old', message: 'Older than the plan keeps' }];
    collector.reply = (response) => answer(response, 200, { accepted: 1, rejected });
    exporter.send(makeTrace('a'));
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 1, rejected: 1, lost: 0 });
    expect(lines).toEqual([
      'the server rejects traces: too_old: Older than the plan keeps; npx @throughline/node doctor tests key and server',
    ]);
  });

  it('first drops values and then drops traces if a server never responds, and reports both', async () => {
    const exporter = makeExporter({ maxBytes: 3_000_000 });
    collector.reply = () => {};
    for (let index = 0; index < 300; index++) {
      exporter.send(makeLargeTrace(`${index}`));
      expect(exporter.heldBytes).toBeLessThan(3_100_000);
      if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => exporter.counters.lost > 200);
    expect(await exporter.flush(50)).toBe(false);
    expect(exporter.heldBytes).toBeLessThan(3_100_000);
    expect(new Set(lines)).toEqual(
      new Set([
        'requests are sent without values, because too many are waiting to be sent',
        'traces were dropped, because more than 3000000 bytes were waiting to be sent; npx @throughline/node doctor tests key and server',
      ]),
    );
  });

  it('does not run a toJSON method on built-in prototypes', async () => {
    const exporter = makeExporter();
    const toJSON = vi.fn(() => 'spoiled');
    collector.reply = (response) => answer(response, 200, '{"accepted":1,"rejected":[]}');
    const prototypes = [Object.prototype, Array.prototype];
    for (const prototype of prototypes)
      Object.defineProperty(prototype, 'toJSON', { value: toJSON, configurable: true });
    try {
      exporter.send(makeTrace('a', [{ text: 'a "b" \u2028', none: null }, [1.5, true]]));
      expect(await exporter.flush()).toBe(true);
    } finally {
      for (const prototype of prototypes) Reflect.deleteProperty(prototype, 'toJSON');
    }
    expect(toJSON).not.toHaveBeenCalled();
    expect(collector.received[0]?.posted).toMatchObject({
      service: { name: 'shop' },
      traces: [{ _id: 'a', flow: [{ inputs: [{ text: 'a "b" \u2028', none: null }, [1.5, true]] }] }],
    });
  });
});

describe('the end of sending', () => {
  it('resolves a flush immediately if there is nothing to send', async () => {
    expect(await makeExporter({ url: 'http://127.0.0.1:9' }).flush(60_000)).toBe(true);
  });

  it('counts traces after a shutdown as lost and sends nothing', async () => {
    const exporter = makeExporter();
    exporter.send(makeTrace('a'));
    await exporter.shutdown();
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(collector.ids()).toEqual(['a']);
    expect(exporter.counters).toEqual({ accepted: 1, rejected: 0, lost: 1 });
  });

  it('resolves all concurrent flushes', async () => {
    const exporter = makeExporter();
    exporter.send(makeTrace('a'));
    const first = exporter.flush();
    exporter.send(makeTrace('b'));
    expect(await Promise.all([first, exporter.flush(), exporter.flush()])).toEqual([true, true, true]);
    expect(collector.ids().toSorted()).toEqual(['a', 'b']);
  });
});
