import { request } from 'node:http';
import {
  aTrace,
  makeProject,
  postBody,
  sendTraces,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { otlpProtobuf, otlpRequest, otlpSpan, postSpans, sendSpans } from '@throughline/testkit/otlp';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptions, usageMonths } from '../../platform/control-store/index.ts';
import { Metrics } from '../../platform/metrics.ts';

const TOKEN = 'a-token-of-24-characters';
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { METRICS_TOKEN: TOKEN } });
});
afterAll(() => server.stop());

const read = (headers: Readonly<Record<string, string>> = {}) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    request(`${server.url}/metrics`, { headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });
const readFigure = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('metrics count traces, batches and bytes, in the text format of Prometheus', async () => {
  const { apiKey } = await makeProject(await signUp(server));
  await sendTraces(server, apiKey, [aTrace(), aTrace()]);
  await postBody(server, apiKey, JSON.stringify({ traces: [aTrace(), {}] }));
  await postBody(server, apiKey, '{');
  const { status, text } = await read();
  expect(status).toBe(200);
  expect(readFigure(text, 'throughline_traces_accepted_total')).toBe(3);
  expect(readFigure(text, 'throughline_traces_rejected_total{reason="invalid_trace"}')).toBe(1);
  expect(readFigure(text, 'throughline_batches_refused_total{reason="invalid_json"}')).toBe(1);
  expect(readFigure(text, 'throughline_commit_seconds_count')).toBeGreaterThanOrEqual(1);
  expect(readFigure(text, 'throughline_commit_seconds_sum')).toBeGreaterThan(0);
  expect(readFigure(text, 'throughline_commit_batches_total')).toBe(2);
  expect(readFigure(text, 'throughline_commit_bytes_total')).toBeGreaterThan(100);
  expect(readFigure(text, 'throughline_ingest_bytes_in_flight')).toBe(0);
  expect(readFigure(text, 'throughline_ingest_lag_seconds')).toBe(0);
  expect(readFigure(text, 'throughline_stored_traces')).toBe(3);
  const ofTraces = readFigure(text, 'throughline_stored_traces_bytes') ?? 0;
  expect(ofTraces).toBeGreaterThan(100);
  expect(readFigure(text, 'throughline_trace_store_bytes')).toBeGreaterThan(ofTraces);
  expect(readFigure(text, 'throughline_control_store_bytes')).toBeGreaterThan(1e6);
  expect(text).not.toContain('throughline_scrape_errors_total{');
  expect(readFigure(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?[\d.e+-]+|)$/);
  }
});

test('request durations are labelled with route, method and status class, never with values from URLs', async () => {
  const person = await signUp(server);
  const { id } = await makeProject(person);
  const labels = 'method="GET",route="/api/traces/:id",status="4xx"';
  const count = async () =>
    readFigure((await read()).text, `throughline_http_request_seconds_count{${labels}}`) ?? 0;
  const before = await count();
  const refused = await fetch(`${server.url}/api/traces/${id}`);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(await count()).toBe(before + 1);
  const { text } = await read();
  expect(text).not.toContain(id);
  expect(readFigure(text, `throughline_http_request_seconds_bucket{le="+Inf",${labels}}`)).toBe(before + 1);
});

test.runIf(isThorough())(
  'a refused batch of traces or spans is counted once, under the reason of the refusal',
  async () => {
    const before = (await read()).text;
    const grown = async (series: string) =>
      (readFigure((await read()).text, series) ?? 0) - (readFigure(before, series) ?? 0);
    const refused = (reason: string) => grown(`throughline_batches_refused_total{reason="${reason}"}`);
    const spans = otlpRequest('shop', [otlpSpan(1, undefined), otlpSpan(2, 1), otlpSpan(3, 1)]);
    const person = await signUp(server);
    const { apiKey } = await makeProject(person);
    await sendSpans(server, apiKey, spans);
    expect(await grown('throughline_spans_accepted_total')).toBe(3);
    expect(await grown('throughline_traces_accepted_total')).toBe(1);

    await postBody(server, 'tl_unknown', '{}');
    await postSpans(server, '', otlpProtobuf(spans));
    expect(await refused('invalid_api_key')).toBe(2);
    const longKey = { 'idempotency-key': 'k'.repeat(256) };
    expect((await postBody(server, apiKey, '{"traces":[]}', longKey)).status).toBe(400);
    expect(await refused('validation_failed')).toBe(1);

    const { db } = server.app.control;
    await db.update(usageMonths).set({ traces: 1050 });
    const one = JSON.stringify({ traces: [aTrace()] });
    // The first request is refused when the server reserves quota for it. The second request is refused earlier, because the server now
    // remembers that the quota is used up.
    for (const count of [1, 2]) {
      expect((await postBody(server, apiKey, one)).status).toBe(429);
      expect(await refused('quota_exceeded')).toBe(count);
    }
    const overQuota = await postSpans(server, apiKey, otlpProtobuf(spans));
    expect([overQuota.status, overQuota.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(await refused('quota_exceeded')).toBe(3);
    expect(await grown('throughline_traces_accepted_total')).toBe(1);
    expect(await grown('throughline_traces_rejected_total{reason="quota_exceeded"}')).toBe(0);

    const other = await makeProject(await signUp(server));
    await db.update(subscriptions).set({ accessEndsAt: new Date(0) });
    expect((await postBody(server, other.apiKey, one)).status).toBe(402);
    const unpaid = await postSpans(server, other.apiKey, otlpProtobuf(spans));
    expect([unpaid.status, unpaid.headers.get('retry-after')]).toEqual([402, null]);
    expect(await refused('trial_expired')).toBe(2);
  },
);

test('a metric that cannot be read is omitted and counted as an error; the other metrics are returned', async () => {
  const metrics = new Metrics();
  let isAway = true;
  metrics.gauge('a_gauge', 'Of a store.', async () => {
    if (isAway) throw new Error('the store is away');
    return 7;
  });
  metrics.gauge('another', 'Of this process.', () => 5);
  const first = await metrics.text();
  expect(first).not.toContain('a_gauge 7');
  expect(readFigure(first, 'another')).toBe(5);
  expect(readFigure(first, 'throughline_scrape_errors_total{series="a_gauge"}')).toBe(1);
  isAway = false;
  const second = await metrics.text();
  expect(readFigure(second, 'a_gauge')).toBe(7);
  expect(readFigure(second, 'throughline_scrape_errors_total{series="a_gauge"}')).toBe(1);
});
