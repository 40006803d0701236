import type { Span } from '@opentelemetry/api';
import { call, isMethod, readProperty, readTextProperty, replaceOnce } from '../internal/foreign.ts';
import { isObjectOrFunction } from '../internal/is-object.ts';
import { runGuarded } from '../internal/report.ts';
import { getCurrentRecording, getRecording } from '../record/async/current-recording.ts';
import type { Recording } from '../record/recording.ts';
import { getContextSpan, isContext, isSpan, runInSpan } from './context.ts';
import type { Registered } from './global-api.ts';
import { serverKind } from './spans/describe-span.ts';
import { endSpanStep, type SpanEvent } from './spans/end-span.ts';
import { noteSpan } from './spans/function-span.ts';
import { findLinkedStep } from './spans/span-steps.ts';
import { stepMicros } from './spans/time.ts';
import { openSpanStep } from './tracer.ts';

const errorStatus = 2;
const internalKind = 0;

/** Data of a span at its start, used if the host's SDK does not record the span. */
interface Started {
  readonly name: string;
  readonly kind: number;
  readonly attributes: unknown;
  readonly scope: string;
}

const started = new WeakMap<Span, Started>();

/**
 * Hooks an OpenTelemetry SDK that the host runs. Each span that starts within a recorded request also becomes a step, unless its kind is
 * SERVER, and the trace adopts the span's trace id. Hooks only public methods of tracers, spans and the context manager, and does not
 * change their behaviour. `skips` returns true for the names of instrumentations whose spans do not become steps, because Throughline
 * records their work itself.
 */
export function hookHostSdk(api: Registered, skips: (scope: string) => boolean): void {
  hookContextManager(api.context);
  // The provider can be wrapped in a proxy.
  const provider = call(api.trace, 'getDelegate') ?? api.trace;
  const tracer = call(provider, 'getTracer', '@throughline/node');
  if (!isObjectOrFunction(tracer)) return;
  replaceOnce(Object.getPrototypeOf(tracer), 'startSpan', (startSpan) => {
    return function (...args) {
      const span = startSpan.apply(this, args);
      runGuarded('Recording a span', () => {
        if (isSpan(span)) noteStart(readScopeName(this), span, args, api.context, skips);
      });
      return span;
    };
  });
}

/** Adopts the trace id of the host's active span, unless the recording already has a trace id. */
export function adoptHostTrace(recording: Recording, api: Registered | undefined): void {
  const active = call(api?.context, 'active');
  const span = isContext(active) ? getContextSpan(active) : undefined;
  if (span !== undefined) adopt(recording, span);
}

function adopt(recording: Recording, span: Span): void {
  const { traceId } = span.spanContext();
  // The host can generate ids in another form, which the server would reject.
  if (/^[0-9a-f]{32}$/i.test(traceId) && !/^0+$/.test(traceId)) recording.ids?.adoptTraceId(traceId);
}

function noteStart(
  scope: string,
  span: Span,
  [name, options, given]: unknown[],
  manager: unknown,
  skips: (scope: string) => boolean,
): void {
  const recording = getCurrentRecording();
  if (recording === undefined) return;
  adopt(recording, span);
  const kind = readProperty(options, 'kind') ?? internalKind;
  if (typeof kind !== 'number' || kind === serverKind || skips(scope)) return;
  replaceOnce(Object.getPrototypeOf(span), 'end', (end) => {
    return function (...args) {
      const result = end.apply(this, args);
      runGuarded('Ending a span', () => {
        if (isSpan(this)) noteEnd(this, args[0]);
      });
      return result;
    };
  });
  const context = isContext(given) ? given : call(manager, 'active');
  if (!isContext(context)) return;
  const attributes = readProperty(options, 'attributes');
  const start = {
    name: String(name),
    kind,
    attributes,
    startMicros: readMicros(readProperty(options, 'startTime')),
  };
  const step = openSpanStep(recording, start, context);
  if (step === null) return;
  noteSpan(span, step);
  started.set(span, { ...start, scope });
}

function noteEnd(span: Span, endTime: unknown): void {
  const start = started.get(span);
  const step = findLinkedStep(span);
  const recording = step && getRecording(step);
  if (start === undefined || step === undefined || !recording) return;
  started.delete(span);
  const status = readProperty(span, 'status');
  endSpanStep(recording, step, {
    name: readTextProperty(span, 'name') ?? start.name,
    kind: start.kind,
    attributes: copyFields(readProperty(span, 'attributes') ?? start.attributes),
    spanId: span.spanContext().spanId,
    scope: start.scope,
    events: readEvents(span),
    failure:
      readProperty(status, 'code') === errorStatus
        ? { exception: undefined, message: readTextProperty(status, 'message') }
        : undefined,
    endMicros: readMicros(endTime),
  });
}

function readEvents(span: Span): SpanEvent[] {
  const events = readProperty(span, 'events');
  if (!Array.isArray(events)) return [];
  return events.map((event: unknown) => ({
    name: readTextProperty(event, 'name') ?? '',
    attributes: readProperty(event, 'attributes'),
  }));
}

/** While the host runs code in a span's context, makes the span's step the current step. */
function hookContextManager(manager: unknown): void {
  replaceOnce(manager, 'with', (run) => {
    return function (...args) {
      const [context, fn, self, ...rest] = args;
      if (!isContext(context) || !isMethod(fn)) return run.apply(this, args);
      const within = function (this: unknown, ...given: unknown[]): unknown {
        return runInSpan(context, () => fn.apply(this, given));
      };
      return run.call(this, context, within, self, ...rest);
    };
  });
}

function readScopeName(tracer: unknown): string {
  const scope =
    readProperty(tracer, 'instrumentationScope') ?? readProperty(tracer, 'instrumentationLibrary');
  return readTextProperty(scope, 'name') ?? '';
}

function copyFields(attributes: unknown): Readonly<Record<string, unknown>> {
  return isObjectOrFunction(attributes) ? Object.fromEntries(Object.entries(attributes)) : {};
}

function readMicros(time: unknown): number | undefined {
  if (typeof time === 'number' || time instanceof Date) return stepMicros(time);
  if (!Array.isArray(time)) return undefined;
  const [seconds, nanoseconds]: unknown[] = time;
  return typeof seconds === 'number' && typeof nanoseconds === 'number'
    ? stepMicros([seconds, nanoseconds])
    : undefined;
}
