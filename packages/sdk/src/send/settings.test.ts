import { answer, Collector } from '@throughline/testkit/collector';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Exporter } from './exporter.ts';
import type { ExporterOptions } from './exporter-options.ts';
import { makeTrace } from './trace.fixture.ts';
import type { RemoteSettings } from './transport/outcome.ts';

let collector: Collector;
let got: RemoteSettings[];
let lines: string[];
let exporter: Exporter | undefined;

function makeExporter(options: Partial<ExporterOptions> = {}): Exporter {
  exporter = new Exporter({
    url: collector.url,
    apiKey: 'tl_test',
    sdk: { name: '@throughline/node', version: '0.0.0' },
    service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
    report: (line) => lines.push(line),
    onSettings: (settings) => got.push(settings),
    delayMs: 5,
    ...options,
  });
  return exporter;
}

const replyWith = (settings: RemoteSettings | undefined) => {
  collector.reply = (response, { posted }) =>
    answer(response, 200, { accepted: posted.traces.length, rejected: [], settings });
};

beforeEach(async () => {
  [got, lines] = [[], []];
  collector = new Collector();
  await collector.start();
});
afterEach(async () => {
  await exporter?.shutdown(0);
  await collector.stop();
});

const asked = (times: number) => vi.waitFor(() => expect(got).toHaveLength(times), { timeout: 10_000 });

/**
 * Sends requests from the test itself. When these requests are done, earlier requests of the exporter and their responses have arrived,
 * too.
 */
async function goThereAndBack(): Promise<void> {
  for (let times = 0; times < 5; times++) await (await fetch(collector.url)).text();
}

it('settings are requested with a batch that has no traces and no key', async () => {
  replyWith({ capture: 'off' });
  makeExporter().askSettings();
  await asked(1);
  expect(got).toEqual([{ capture: 'off' }]);
  expect(collector.received[0]).toMatchObject({
    path: '/api/ingest/traces',
    headers: { 'x-api-key': 'tl_test' },
    posted: { service: { name: 'shop' }, traces: [] },
  });
  expect(collector.received[0]?.headers).not.toHaveProperty('idempotency-key');
  expect(exporter?.counters).toEqual({ accepted: 0, rejected: 0, lost: 0 });
});

it('settings are requested at most once per interval, however often `askSettings` is called', async () => {
  replyWith({ capture: 'off' });
  const one = makeExporter({ askMs: 50 });
  for (let index = 0; index < 1000; index++) one.askSettings();
  await asked(1);
  replyWith({ sampleRate: 0.5 });
  await vi.waitFor(() => {
    one.askSettings();
    expect(got.length).toBeGreaterThan(1);
  });
  expect(got.at(-1)).toEqual({ sampleRate: 0.5 });
  expect(collector.received.length).toBeLessThan(5);
});

it('settings are not requested while the responses to batches of traces contain them', async () => {
  replyWith({ sampleRate: 0.1 });
  const one = makeExporter();
  one.send(makeTrace('a'));
  one.askSettings();
  expect(await one.flush()).toBe(true);
  one.askSettings();
  await one.flush();
  expect(got).toEqual([{ sampleRate: 0.1 }]);
  expect(collector.received).toHaveLength(1);
});

it('settings that the project removed are reported as absent', async () => {
  replyWith({ capture: 'structure' });
  const one = makeExporter();
  one.send(makeTrace('a'));
  await one.flush();
  replyWith(undefined);
  one.send(makeTrace('b'));
  await one.flush();
  expect(got).toEqual([{ capture: 'structure' }, {}]);
});

it.each([
  ['fails', 503],
  ['refuses', 401],
])('settings are not requested for a while from a server that %s', async (_, status) => {
  collector.reply = (response) => answer(response, status, {}, { 'retry-after': '60' });
  const one = makeExporter({ askMs: 1, probeMs: 60_000 });
  const asks = () => collector.received.filter(({ isTraces }) => isTraces);
  one.askSettings();
  await vi.waitFor(() => expect(asks()).toHaveLength(1));
  await goThereAndBack();
  one.askSettings();
  await goThereAndBack();
  expect(asks()).toHaveLength(1);
  expect(got).toEqual([]);
});

it('settings are not requested after a shutdown', async () => {
  const one = makeExporter();
  await one.shutdown();
  one.askSettings();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(collector.received).toEqual([]);
});
