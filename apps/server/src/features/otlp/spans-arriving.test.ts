import { routes } from '@throughline/contract';
import {
  OTLP_START,
  OTLP_TRACE,
  type OtlpRequest,
  otlpAttributes,
  otlpRequest,
  otlpSpan,
  sendSpans,
} from '@throughline/testkit/otlp';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test, vi } from 'vitest';

const scene = sceneOfEachTest();

const send = (request: OtlpRequest) => sendSpans(scene.server, scene.project.apiKey, request);
/** Waits until the step counts in the list of traces include spans that arrived late. */
const counts = (expected: Record<string, number>) =>
  vi.waitFor(
    async () => {
      const rows = await scene.list();
      expect(Object.fromEntries(rows.map(({ request, stepCount }) => [request.path, stepCount]))).toEqual(
        expected,
      );
    },
    { timeout: 30_000, interval: 200 },
  );

const HTTP = { 'http.request.method': 'POST', 'url.path': '/orders', 'http.response.status_code': 201 };

describe('spans that arrive', () => {
  const requests = [
    otlpSpan(1, undefined, { attributes: otlpAttributes({ ...HTTP, 'url.path': '/front' }) }),
    otlpSpan(2, 1, { kind: 3 }),
    otlpSpan(4, 3),
    otlpSpan(5, 4),
    otlpSpan(6, 1),
  ];
  const served = otlpSpan(3, 2, { kind: 2, attributes: otlpAttributes({ ...HTTP, 'url.path': '/back' }) });
  const steps = async () => {
    const { traces } = await scene.person.client.call(routes.traces.byTraceId, {
      params: { traceId: OTLP_TRACE },
    });
    const flows = await Promise.all(traces.map(async ({ _id }) => scene.read(_id)));
    return Object.fromEntries(
      flows.map(({ request, flow }) => [
        request.path,
        flow.map(({ stepId, parentStepId }) =>
          [stepId, parentStepId].map((id) => (id === null ? null : Number.parseInt(id, 16))),
        ),
      ]),
    );
  };
  const whole = {
    '/front': [
      [2, null],
      [6, null],
    ],
    '/back': [
      [4, null],
      [5, 4],
    ],
  };

  test.runIf(isThorough())(
    'in separate requests, children first and each span twice, are stored once',
    async () => {
      for (const one of [...requests.toReversed(), served, ...requests]) {
        await send(otlpRequest(one.spanId === served.spanId ? 'back' : 'front', [one]));
      }
      expect(await steps()).toEqual(whole);
      await counts({ '/front': 2, '/back': 2 });
    },
  );

  test('before the request wait for the request, and spans that arrive after the request are added to its steps', async () => {
    await send(
      otlpRequest(
        'back',
        [requests[2], requests[3]].filter((one) => one !== undefined),
      ),
    );
    expect(await scene.list()).toEqual([]);
    await send(
      otlpRequest(
        'front',
        [requests[0], requests[1]].filter((one) => one !== undefined),
      ),
    );
    await send(otlpRequest('back', [served]));
    await send(
      otlpRequest(
        'front',
        [requests[4]].filter((one) => one !== undefined),
      ),
    );
    expect(await steps()).toEqual(whole);
    await counts({ '/front': 2, '/back': 2 });
  });

  test('are assigned to a request even if clocks are hours apart, or spans are orphans or form a cycle', async () => {
    const hour = 3_600_000_000_000n;
    const at = (nanos: bigint) => ({ startTimeUnixNano: String(nanos), endTimeUnixNano: String(nanos + 1n) });
    await send(
      otlpRequest('shop', [
        otlpSpan(1, undefined, { attributes: otlpAttributes({ ...HTTP, 'url.path': '/x' }) }),
        otlpSpan(2, 1, at(OTLP_START - 5n * hour)),
        otlpSpan(3, 1, at(OTLP_START + 40n * hour)),
        otlpSpan(4, 99),
        otlpSpan(5, 6),
        otlpSpan(6, 5),
        otlpSpan(7, 7),
      ]),
    );
    const trace = await scene.onlyTrace();
    expect(trace.flow.map(({ stepId }) => Number.parseInt(stepId, 16))).toEqual([2, 4, 5, 6, 7, 3]);
    expect(trace.stepCount).toBe(6);
  });

  test.runIf(isThorough())('in many batches are all stored, even 50,000 spans of one trace', async () => {
    const all = Array.from({ length: 50_000 }, (_span, index) =>
      otlpSpan(index + 2, index % 3 === 0 ? 1 : index + 1),
    );
    const root = otlpSpan(1, undefined, { attributes: otlpAttributes({ ...HTTP, 'url.path': '/big' }) });
    for (let from = 0; from < all.length; from += 5000) {
      await send(otlpRequest('shop', [...all.slice(from, from + 5000), ...(from === 20_000 ? [root] : [])]));
    }
    await counts({ '/big': 50_000 });
    const trace = await scene.onlyTrace();
    expect(trace.flow).toHaveLength(50_000);
    expect(new Set(trace.flow.map(({ stepId }) => stepId)).size).toBe(50_000);
  });

  test('are deleted with the request to which they belong, and spans of other requests of the trace are kept', async () => {
    await send(otlpRequest('front', [...requests, served]));
    const id = (await scene.list()).find(({ request }) => request.path === '/front')?._id ?? '';
    await scene.person.client.call(routes.traces.remove, { params: { id } });
    expect(await steps()).toEqual({ '/back': whole['/back'] });
    await scene.person.client.call(routes.traces.removeOfProject, { params: { id: scene.project.id } });
    expect(await scene.list()).toEqual([]);
  });
});
