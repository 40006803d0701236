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
import { afterAll, beforeAll, expect, test } from 'vitest';

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
const figureOf = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('metrics say what was accepted, rejected and stored', async () => {
  const { apiKey } = await makeProject(await signUp(server));
  await sendTraces(server, apiKey, [aTrace(), aTrace()]);
  await postBody(server, apiKey, JSON.stringify({ traces: [aTrace(), {}] }));
  await postBody(server, apiKey, '{');
  const { status, text } = await read();
  expect(status).toBe(200);
  expect(figureOf(text, 'throughline_traces_accepted_total')).toBe(3);
  expect(figureOf(text, 'throughline_traces_rejected_total{reason="invalid_trace"}')).toBe(1);
  expect(figureOf(text, 'throughline_batches_refused_total{reason="invalid_json"}')).toBe(1);
  expect(figureOf(text, 'throughline_commits_total')).toBeGreaterThanOrEqual(1);
  expect(figureOf(text, 'throughline_commit_seconds_total')).toBeGreaterThan(0);
  expect(figureOf(text, 'throughline_commit_batches_total')).toBe(2);
  expect(figureOf(text, 'throughline_commit_bytes_total')).toBeGreaterThan(100);
  expect(figureOf(text, 'throughline_ingest_bytes_in_flight')).toBe(0);
  expect(figureOf(text, 'throughline_ingest_lag_seconds')).toBe(0);
  expect(figureOf(text, 'throughline_stored_traces')).toBe(3);
  expect(figureOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"\})? -?[\d.e+-]+)$/);
  }
});

test('metrics are for this machine, or for whoever has the token', async () => {
  const proxied = { 'x-forwarded-for': '203.0.113.9' };
  expect((await read(proxied)).status).toBe(404);
  expect((await read({ ...proxied, authorization: 'Bearer wrong' })).status).toBe(404);
  expect((await read({ ...proxied, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
});
