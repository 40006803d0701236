import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, ContextManager, Span } from '@opentelemetry/api';
import { getCurrentRecording, getRecording } from '../record/async/current-recording.ts';
import { runRecording } from '../record/async/work-context.ts';
import { isBelow } from '../record/below.ts';
import type { Recording } from '../record/recording.ts';
import { createStepSpan } from './spans/function-span.ts';
import { createSpanContext, NonRecordingSpan } from './spans/non-recording-span.ts';
import { findLinkedStep, stepOfSpan } from './spans/span-steps.ts';

/** The key that `createContextKey` returns for this name in every API version, so that all copies of the API can read the contexts. */
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');

/** A context as the OpenTelemetry API specifies it: an immutable map. */
class ValueContext implements Context {
  readonly #values: ReadonlyMap<symbol, unknown>;

  constructor(values: ReadonlyMap<symbol, unknown>) {
    this.#values = values;
  }

  getValue(key: symbol): unknown {
    return this.#values.get(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new ValueContext(new Map(this.#values).set(key, value));
  }

  deleteValue(key: symbol): Context {
    const values = new Map(this.#values);
    values.delete(key);
    return new ValueContext(values);
  }
}

const rootContext: Context = new ValueContext(new Map());
const storage = new AsyncLocalStorage<Context>();

export function getContextSpan(context: Context): Span | undefined {
  const span = context.getValue(spanKey);
  return isSpan(span) ? span : undefined;
}

export function isContext(value: unknown): value is Context {
  return typeof value === 'object' && value !== null && 'getValue' in value;
}

export function withSpan(context: Context, span: Span): Context {
  return context.setValue(spanKey, span);
}

export function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'spanContext' in value;
}

/**
 * Returns the current context. The context's span, the parent of new spans, is the host's active span, or a span for the current step if
 * the step is below the host's span. Without either, the context's span is a span for the request.
 */
export function getCurrentContext(): Context {
  const base = storage.getStore() ?? rootContext;
  const recording = getCurrentRecording();
  if (recording === undefined) return base;
  const { here } = recording;
  const span = getContextSpan(base);
  if (here === null) return span === undefined ? withSpan(base, buildRequestSpan(recording)) : base;
  const step = span === undefined ? undefined : stepOfSpan(span, recording);
  if (step !== undefined && (step === here || isBelow(step, here))) return base;
  return withSpan(base, createStepSpan(recording, here));
}

/** True if the running code is in an OpenTelemetry context, whose span can be the parent of new work. */
export function isInSpan(): boolean {
  return storage.getStore() !== undefined;
}

const requestSpans = new WeakMap<Recording, Span>();
const requests = new WeakMap<Span, Recording>();

/**
 * Returns a span that represents the request when no step is running, because libraries are configured to trace only work that has a
 * parent.
 */
function buildRequestSpan(recording: Recording): Span {
  let span = requestSpans.get(recording);
  if (span === undefined) {
    span = new NonRecordingSpan(createSpanContext(recording));
    requestSpans.set(recording, span);
    requests.set(span, recording);
  }
  return span;
}

/** Runs `fn` in a context and in the request of the context's span; see {@link runInSpan}. */
export function runIn<T>(context: Context, fn: () => T): T {
  return storage.run(context, () => runInSpan(context, fn));
}

/**
 * Runs `fn` in the request to which the context's span belongs, with the span's step as the current step. Needed because a connection pool
 * calls a waiting callback in the context of the request that returned the connection.
 */
export function runInSpan<T>(context: Context, fn: () => T): T {
  const span = getContextSpan(context);
  const step = span && findLinkedStep(span);
  const recording = (step && getRecording(step)) ?? (span && requests.get(span));
  if (!recording || recording.finished) return fn();
  const within = (): T => (step === undefined || step === recording.here ? fn() : recording.within(step, fn));
  return getCurrentRecording() === recording ? within() : runRecording(recording, within);
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/**
 * Context manager for libraries' instrumentations. Does not bind event emitters: the listeners run in the context in which an event is
 * emitted.
 */
export const stepContextManager: ContextManager = {
  active: getCurrentContext,
  with(context, fn, thisArg, ...args) {
    return runIn(context, () => fn.apply(thisArg, args));
  },
  bind(context, target) {
    if (!isFunction(target)) return target;
    const bound: AnyFunction = function (...args) {
      return runIn(context, () => target.apply(this, args));
    };
    Object.defineProperty(bound, 'length', { value: target.length, configurable: true });
    // The bound function has the same signature as its target.
    return bound as typeof target;
  },
  enable() {
    return this;
  },
  disable() {
    return this;
  },
};

/**
 * The host's context manager until the host registers its own. The active span is the span that the host activated or, if there is none,
 * the span of the current step.
 */
export const hostContextManager: ContextManager = {
  ...stepContextManager,
  active() {
    const base = storage.getStore() ?? rootContext;
    return getContextSpan(base) === undefined ? getCurrentContext() : base;
  },
};
