import { describe, expect, test } from 'vitest';
import { createTraceId } from '../http/context/ids.ts';
import { runRecording } from '../record/async/work-context.ts';
import { defaultLimits } from '../record/capture/limits.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import { Recording } from '../record/recording.ts';
import {
  getContextSpan,
  getCurrentContext,
  hostContextManager,
  runIn,
  stepContextManager,
  withSpan,
} from './context.ts';
import { traceContextPropagator } from './propagator.ts';
import { StepTracerProvider } from './tracer.ts';

const tracer = new StepTracerProvider().getTracer('test');
const traceId = createTraceId();

/** Runs `fn` as a recorded request. Returns the request's steps after the result of `fn` has settled. */
async function record(fn: () => unknown, limits = defaultLimits): Promise<readonly RecordedStep[]> {
  const recording = new Recording({ capture: 'all', limits });
  recording.ids = { traceId, adoptTraceId: () => {} };
  await runRecording(recording, async () => fn());
  return recording.finish().flow;
}

function outline(flow: readonly RecordedStep[]): string[] {
  const name = (id: string | null) => flow.find(({ stepId }) => stepId === id)?.stepName;
  return flow.map(({ stepName, parentStepId }) => `${name(parentStepId) ?? '-'} > ${stepName}`);
}

describe('outside of a recorded request', () => {
  test('a span accepts all calls and records nothing', () => {
    const span = tracer.startSpan('nowhere');
    expect(span.isRecording()).toBe(false);
    expect(
      span.setAttribute('a', 1).setAttributes({ b: 2 }).addEvent('c').setStatus({ code: 2 }).updateName('d'),
    ).toBe(span);
    span.recordException(new Error('no matter'));
    span.end();
    expect(span.spanContext().traceId).toBe('0'.repeat(32));
    expect(tracer.startActiveSpan('active', (inner) => inner.isRecording())).toBe(false);
  });

  test('a span continues the trace of another service', () => {
    const header = `00-${traceId}-${'b'.repeat(16)}-01`;
    const context = traceContextPropagator.extract(
      getCurrentContext(),
      { traceparent: header },
      {
        get: (carrier, name) => carrier[name],
        keys: (carrier) => Object.keys(carrier),
      },
    );
    expect(tracer.startSpan('consume', {}, context).spanContext()).toMatchObject({
      traceId,
      spanId: 'b'.repeat(16),
    });
  });
});

test('each span is below the span of its context, however late the span starts', async () => {
  const flow = await record(async () => {
    await tracer.startActiveSpan('outer', async (outer) => {
      await new Promise((wait) => setTimeout(wait, 2));
      tracer.startSpan('inner').end();
      outer.end();
    });
    tracer.startSpan('beside').end();
  });
  expect(outline(flow)).toEqual(['- > outer', 'outer > inner', '- > beside']);
});

test('a function that is bound to a context runs in the request of this context, whichever request calls the function', async () => {
  let waiting: (() => void) | undefined;
  const first = record(
    () =>
      new Promise<void>((done) => {
        tracer.startActiveSpan('waits', (span) => {
          waiting = stepContextManager.bind(getCurrentContext(), () => {
            tracer.startSpan('called back').end();
            span.end();
            done();
          });
        });
      }),
  );
  const second = await record(() => waiting?.());
  expect(outline(await first)).toEqual(['- > waits', 'waits > called back']);
  expect(second).toEqual([]);
});

test('the active span is the span that the host made active', async () => {
  await record(() => {
    tracer.startActiveSpan('mine', (span) => {
      expect(getContextSpan(hostContextManager.active())).toBe(span);
      span.end();
    });
    const other = tracer.startSpan('other');
    runIn(withSpan(getCurrentContext(), other), () =>
      expect(getContextSpan(hostContextManager.active())).toBe(other),
    );
    other.end();
  });
});

test('spans show errors, names and times; a call of end after the request is ignored', async () => {
  const error = new TypeError('bad input');
  let late: { end(): void } | undefined;
  const flow = await record(() => {
    const failed = tracer.startSpan('first name');
    failed.updateName('second name').recordException(error);
    failed.setStatus({ code: 2, message: 'not shown' });
    failed.end();
    failed.setAttribute('after', 'the end');
    failed.end();
    const withMessage = tracer.startSpan('withMessage');
    withMessage.setStatus({ code: 2, message: 'only a message' });
    withMessage.end();
    const now = Date.now();
    // The times must be within the lifetime of this process, which can be short.
    tracer.startSpan('timed', { startTime: now - 100 }).end(now - 50);
    late = tracer.startSpan('late');
  });
  late?.end();
  const [failed, withMessage, timed, open] = flow;
  expect(failed).toMatchObject({
    stepName: 'second name',
    error: { message: 'bad input', name: 'TypeError' },
  });
  expect(JSON.stringify(failed?.metadata)).not.toContain('after');
  expect(withMessage).toMatchObject({ error: { message: 'only a message' } });
  // Both times are converted with a reading of the wall clock, which can be adjusted between the two conversions. So the test allows a
  // deviation.
  expect(timed?.durationMs).toBeGreaterThan(40);
  expect(timed?.durationMs).toBeLessThan(60);
  expect(open).toMatchObject({ stepName: 'late', metadata: { unfinished: true } });
});

test('hostile spans do not disturb the host, and are limited in size', async () => {
  const flow = await record(
    () => {
      const span = tracer.startSpan('x'.repeat(5000));
      for (let at = 0; at < 500; at++) span.setAttribute(`key ${at}`, at).addEvent(`event ${at}`);
      const getter = Object.defineProperty({}, 'message', {
        get() {
          throw new Error('read');
        },
      });
      // Invalid arguments that a host in plain JavaScript can pass.
      Reflect.apply(span.recordException, span, [getter]);
      Reflect.apply(span.setAttributes, span, [undefined]);
      span.end();
      for (let at = 0; at < 20; at++) tracer.startSpan(`more ${at}`).end();
    },
    { ...defaultLimits, steps: 10 },
  );
  expect(flow).toHaveLength(10);
  expect(flow[0]?.stepName).toHaveLength(1000);
});
