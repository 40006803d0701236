import { Collector, storeAll } from '@throughline/testkit/collector';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Exporter } from '../exporter.ts';
import { makeTrace } from '../trace.fixture.ts';

let collector: Collector;
let lines: string[];
const exporters: Exporter[] = [];

function makeExporter(maxBytes: number): Exporter {
  const exporter = new Exporter({
    url: collector.url,
    apiKey: 'tl_test',
    sdk: { name: '@throughline/node', version: '0.0.0' },
    service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
    report: (line) => lines.push(line),
    delayMs: 20,
    maxBytes,
  });
  exporters.push(exporter);
  return exporter;
}

/** Creates a trace without values that is as large as one with values. */
const makeLargeTrace = (id: string) => ({
  ...makeTrace(id),
  request: { method: 'GET', path: '/' },
  attributes: { note: 'x'.repeat(50_000) },
});

beforeEach(async () => {
  lines = [];
  collector = new Collector();
  await collector.start();
});

afterEach(async () => {
  await Promise.all(exporters.splice(0).map((exporter) => exporter.shutdown(0)));
  await collector.stop();
});

describe('a full queue', () => {
  it('drops values but no traces while the server is too slow', async () => {
    const exporter = makeExporter(6_000_000);
    const waiting: (() => void)[] = [];
    collector.reply = (response, received, nth) => waiting.push(() => storeAll(response, received, nth));
    for (let index = 0; index < 300; index++) exporter.send(makeTrace(`${index}`, 'x'.repeat(50_000)));
    expect(exporter.isCrowded).toBe(true);
    expect(exporter.heldBytes).toBeLessThan(6_100_000);
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), { timeout: 20_000 });
    collector.reply = storeAll;
    for (const go of waiting) go();
    expect(await exporter.flush(20_000)).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 300, rejected: 0, lost: 0 });
    expect(exporter.isCrowded).toBe(false);
    expect(lines[0]).toContain('requests are sent without values, because too many are waiting to be sent');
    const without = collector.traces.filter(({ flow }) => flow[0]?.inputs === undefined);
    expect(without.length).toBeGreaterThan(150);
    expect(without.length).toBeLessThan(300);
    for (const trace of without) {
      expect(trace).toMatchObject({
        attributes: { 'throughline.withoutValues': 'backlog' },
        dropped: { values: 1 },
        flow: [{ stepName: 'work', duration: 1 }],
      });
      expect(trace.request).toMatchObject({ headers: { host: 'x' } });
      expect(trace.request).not.toHaveProperty('body');
    }
  });

  it('does not change the reason of a trace that was recorded without values', async () => {
    const exporter = makeExporter(1_000_000);
    const waiting: (() => void)[] = [];
    collector.reply = (response, received, nth) => waiting.push(() => storeAll(response, received, nth));
    for (let index = 0; index < 40; index++) exporter.send(makeLargeTrace(`${index}`));
    expect(exporter.isCrowded).toBe(true);
    exporter.send({ ...makeTrace('a'), attributes: { 'throughline.withoutValues': 'memory' } });
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), { timeout: 20_000 });
    collector.reply = storeAll;
    for (const go of waiting) go();
    expect(await exporter.flush(20_000)).toBe(true);
    expect(collector.traces.find(({ _id }) => _id === 'a')).toMatchObject({
      attributes: { 'throughline.withoutValues': 'memory' },
      request: { headers: { host: 'x' } },
    });
  });

  it('drops the values of the oldest queued traces while the server cannot be reached', async () => {
    const exporter = makeExporter(4_000_000);
    const port = Number(new URL(collector.url).port);
    await collector.stop();
    exporter.send(makeTrace('first'));
    expect(await exporter.flush(100)).toBe(false);
    for (let index = 0; index < 50; index++) exporter.send(makeTrace(`${index}`, 'x'.repeat(50_000)));
    for (let index = 0; index < 60; index++) {
      exporter.send(makeLargeTrace(`large ${index}`));
    }
    expect(exporter.counters.lost).toBe(0);
    expect(exporter.heldBytes).toBeLessThan(4_100_000);
    collector = new Collector();
    await collector.start(port);
    expect(await exporter.flush(60_000)).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 111, rejected: 0, lost: 0 });
    const reduced = collector.traces.filter(({ attributes }) => attributes?.['throughline.withoutValues']);
    expect(reduced.length).toBeGreaterThan(20);
    expect(reduced.map(({ _id }) => _id)).toContain('0');
    // Number of values, and the bytes of their JSON.
    const dropped = { values: 1, bytes: expect.closeTo(50_100, -3) };
    for (const trace of reduced) expect(trace).toMatchObject({ dropped });
  });
});
