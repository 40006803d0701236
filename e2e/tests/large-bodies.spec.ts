import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type APIRequestContext, expect } from '@playwright/test';
import type { Account } from '../harness/people/people.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest } from '../harness/traces/traces.ts';

/** Larger than the bodies that the server parses in its main thread. */
const LARGE_TEXT = 'of an order, and so on; '.repeat(150_000);

interface Sender {
  send(path: string, body: unknown): Promise<unknown>;
  countTraces(): Promise<number>;
}

async function newSender(request: APIRequestContext, account: Account): Promise<Sender> {
  const registered = await request.post('/api/auth/register/solo', { data: account });
  const { token }: { token: string } = await registered.json();
  const headers = { authorization: `Bearer ${token}` };
  const made = await request.post('/api/projects', { data: { name: 'orders' }, headers });
  const { project }: { project: { id: string } } = await made.json();
  const answer = await request.get(`/api/projects/${project.id}/api-key`, { headers });
  const { apiKey }: { apiKey: string } = await answer.json();
  return {
    async send(path, body) {
      const sent = await request.post(path, {
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        data: gzipSync(JSON.stringify(body)),
      });
      return sent.json();
    },
    async countTraces() {
      const list = await request.get(`/api/traces?projectId=${project.id}`, { headers });
      const { total }: { total: number } = await list.json();
      return total;
    },
  };
}

// This test fails if the build lacks the worker's file, or a module that the worker imports.
test('the built server accepts large native and OpenTelemetry bodies, which a worker thread reads', async ({
  request,
  ada,
}) => {
  const { send, countTraces } = await newSender(request, ada);
  const trace = { ...plainRequest('/large', new Date()), attributes: { text: LARGE_TEXT } };
  expect(await send('/api/ingest/traces', { service: { name: 'orders' }, traces: [trace] })).toEqual({
    accepted: 1,
    rejected: [],
  });
  const startMs = Date.now();
  const span = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'GET /large',
    kind: 2,
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 5}000000`,
    attributes: [{ key: 'text', value: { stringValue: LARGE_TEXT } }],
  };
  expect(await send('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })).toEqual({});
  await expect.poll(countTraces).toBe(2);
});
