import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, ContextManager, Span } from '@opentelemetry/api';
import { isBelow } from '../record/below.ts';
import type { Recording } from '../record/recording.ts';
import { currentRecording, runRecording } from '../record/work-context.ts';
import { spanOfStep } from './function-span.ts';
import { newContextIn, QuietSpan } from './quiet-span.ts';
import { findOpenStep, stepOfSpan } from './span-steps.ts';

/** What `createContextKey` of every version of the API makes of its name: contexts can be read by all copies. */
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');

/** An immutable map, as the API specifies it. */
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

export function spanIn(context: Context): Span | undefined {
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
 * The context of what runs now. Its span is the nearest of ours: the one that the host put there, or one that stands for the step under way where
 * that is deeper, so that whoever takes a parent from here takes the right one.
 */
export function activeContext(): Context {
  const base = storage.getStore() ?? rootContext;
  const recording = currentRecording();
  if (recording === undefined) return base;
  const { here } = recording;
  const span = spanIn(base);
  if (here === null) return span === undefined ? withSpan(base, spanOfRequest(recording)) : base;
  const step = span === undefined ? undefined : stepOfSpan(span, recording);
  if (step !== undefined && (step === here || isBelow(step, here))) return base;
  return withSpan(base, spanOfStep(recording, here));
}

const requestSpans = new WeakMap<Recording, Span>();
const requests = new WeakMap<Span, Recording>();

/** Stands for the request where no step is under way: libraries are asked to trace only what has a parent. */
function spanOfRequest(recording: Recording): Span {
  let span = requestSpans.get(recording);
  if (span === undefined) {
    span = new QuietSpan(newContextIn(recording));
    requestSpans.set(recording, span);
    requests.set(span, recording);
  }
  return span;
}

/** Runs `fn` in a context, as {@link runInSpan} says. */
export function runIn<T>(context: Context, fn: () => T): T {
  return storage.run(context, () => runInSpan(context, fn));
}

/**
 * Runs `fn` within the request that a context's span belongs to, and with the span's step as the current one: pools call back whoever waits in the
 * context of whoever gives a connection back.
 */
export function runInSpan<T>(context: Context, fn: () => T): T {
  const span = spanIn(context);
  const step = span && findOpenStep(span);
  const recording = step?.recording ?? (span && requests.get(span));
  if (!recording || recording.finished) return fn();
  const within = (): T => (step === undefined || step === recording.here ? fn() : recording.within(step, fn));
  return currentRecording() === recording ? within() : runRecording(recording, within);
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** What libraries' instrumentations are given. Emitters are not bound: what they emit runs in the context it comes from. */
export const stepContextManager: ContextManager = {
  active: activeContext,
  with(context, fn, thisArg, ...args) {
    return runIn(context, () => fn.apply(thisArg, args));
  },
  bind(context, target) {
    if (!isFunction(target)) return target;
    const bound: AnyFunction = function (...args) {
      return runIn(context, () => target.apply(this, args));
    };
    Object.defineProperty(bound, 'length', { value: target.length, configurable: true });
    // What is called as the target is: the caller's type of it holds.
    return bound as typeof target;
  },
  enable() {
    return this;
  },
  disable() {
    return this;
  },
};

/** What the host gets, for as long as it registers none of its own: the active span is the one that it made active, if any. */
export const hostContextManager: ContextManager = {
  ...stepContextManager,
  active() {
    const base = storage.getStore() ?? rootContext;
    return spanIn(base) === undefined ? activeContext() : base;
  },
};
