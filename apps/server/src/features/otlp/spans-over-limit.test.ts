import { routes, TRACE_LIMITS } from '@throughline/contract';
import { OTLP_TRACE, otlpAttributes, otlpRequest, otlpSpan, postSpans } from '@throughline/testkit/otlp';
import { sceneOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test, vi } from 'vitest';
import { openUnmigrated, type TraceStore } from '../../platform/trace-store/index.ts';

const scene = sceneOfFile();
const HTTP = { 'http.request.method': 'GET', 'url.path': '/large', 'http.response.status_code': 200 };

/** Stores a trace that has the maximum number of spans. */
async function storeSpans(store: TraceStore, traceId: string): Promise<void> {
  await store.command(
    `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, entry, service, name, type, start_nanos, duration_nanos, status_code,
       has_error, metadata, resource, stored_at)
     SELECT {project:UUID}, {trace:String}, lower(leftPad(hex(number + 1000), 16, '0')), '', false, 'shop', 'work', 'custom',
       toUnixTimestamp64Nano(now64(9)), 1000, 200, false, '{}', '{}', now64(6) FROM numbers(${TRACE_LIMITS.traceSpans.max})`,
    { project: scene.project.id, trace: traceId },
  );
}

test.runIf(isThorough())(
  'a trace at its span limit accepts no more spans, and the response reports the rejected spans',
  async () => {
    const store = await openUnmigrated(scene.server.config);
    await storeSpans(store, OTLP_TRACE);
    await store.close();
    let sent = 0;
    const send = async () => {
      sent += 1;
      const span = otlpSpan(sent, undefined, { attributes: otlpAttributes(HTTP) });
      const body = JSON.stringify(otlpRequest('shop', [span]));
      const reply = await postSpans(scene.server, scene.project.apiKey, body, {
        'content-type': 'application/json',
      });
      expect(reply.status).toBe(200);
      return JSON.parse(reply.bytes.toString()).partialSuccess;
    };
    // The limit applies once the trace has been assembled, because the spans of a trace are counted at that time.
    expect(await send()).toBeUndefined();
    await vi.waitFor(
      async () =>
        expect(await send()).toMatchObject({
          rejectedSpans: '1',
          errorMessage: expect.stringContaining('limit traceSpans'),
        }),
      { timeout: 60_000, interval: 500 },
    );
    const metrics = await fetch(`${scene.server.url}/metrics`);
    expect(await metrics.text()).toMatch(/throughline_traces_rejected_total\{reason="limit_reached"\} [1-9]/);
  },
  90_000,
);

test('a trace that reached its span limit before the server started accepts no more spans', async () => {
  const traceId = 'ab'.repeat(16);
  const store = await openUnmigrated(scene.server.config);
  await storeSpans(store, traceId);
  await store.close();
  const spans = Array.from({ length: 1500 }, (_span, index) => ({ ...otlpSpan(index + 1, 0), traceId }));
  const body = JSON.stringify(otlpRequest('shop', spans));
  const reply = await postSpans(scene.server, scene.project.apiKey, body, {
    'content-type': 'application/json',
  });
  const refused = (count: number) => ({
    partialSuccess: {
      rejectedSpans: String(count),
      errorMessage: expect.stringContaining('limit traceSpans'),
    },
  });
  expect(JSON.parse(reply.bytes.toString())).toMatchObject(refused(1500));

  // From now on, the spans of this trace are rejected before they are decoded. These spans have an invalid `kind`, so decoding them
  // would give another error. The larger body is read by a worker thread.
  for (const [count, padding] of [
    [100, ''],
    [20, 'a'.repeat(100_000)],
  ] as const) {
    const undecoded = spans.slice(0, count).map((span) => ({ ...span, kind: 0.5, name: padding }));
    const request = {
      ...otlpSpan(1, undefined, { attributes: otlpAttributes(HTTP) }),
      traceId: `${count}`.padStart(32, '0'),
    };
    const next = await postSpans(
      scene.server,
      scene.project.apiKey,
      JSON.stringify(otlpRequest('shop', [...undecoded, request])),
      { 'content-type': 'application/json' },
    );
    expect(JSON.parse(next.bytes.toString())).toEqual(refused(count));
  }
  const { total } = await scene.person.client.call(routes.traces.list, {
    query: { projectId: scene.project.id, limit: 1 },
  });
  expect(total).toBe(2);
});
