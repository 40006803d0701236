import type { Attributes, Context, Span, SpanOptions, Tracer, TracerProvider } from '@opentelemetry/api';
import { isObjectOrFunction } from '../internal/is-object.ts';
import { maxName } from '../internal/name-length.ts';
import { runGuarded } from '../internal/report.ts';
import type { ActiveStep } from '../record/active-step.ts';
import { propagation } from '../record/async/async-parent.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';
import { isBelow } from '../record/below.ts';
import type { Recording } from '../record/recording.ts';
import { getContextSpan, getCurrentContext, isContext, runIn, withSpan } from './context.ts';
import { serverKind, toStepType } from './spans/describe-span.ts';
import { noteSpan } from './spans/function-span.ts';
import { NonRecordingSpan, noSpanContext } from './spans/non-recording-span.ts';
import { isOperation } from './spans/sent-queries.ts';
import { stepOfSpan } from './spans/span-steps.ts';
import { StepSpan } from './spans/step-span.ts';
import { stepMicros } from './spans/time.ts';

const internalKind = 0;

/**
 * Creates the spans of the host and of its libraries. A span that starts within a recorded request becomes a step, unless its kind is
 * SERVER.
 */
export class StepTracer implements Tracer {
  readonly #scope: string;
  readonly #successor: () => Tracer | undefined;

  /** `successor` returns the host's own tracer once there is one; all work is then left to that tracer. */
  constructor(scope: string, successor: () => Tracer | undefined) {
    this.#scope = scope;
    this.#successor = successor;
  }

  startSpan(name: string, options?: SpanOptions, context?: Context): Span {
    const successor = this.#successor();
    if (successor !== undefined) return successor.startSpan(name, options, context);
    const within = context ?? getCurrentContext();
    return (
      runGuarded('Starting a span', () => this.#start(name, options ?? {}, within)) ?? createQuietSpan(within)
    );
  }

  startActiveSpan<F extends (span: Span) => ReturnType<F>>(name: string, ...rest: unknown[]): ReturnType<F> {
    const successor = this.#successor();
    if (successor !== undefined) return Reflect.apply(successor.startActiveSpan, successor, [name, ...rest]);
    const fn = rest.at(-1);
    const [options, given] = rest.slice(0, -1);
    if (!isSpanFunction<F>(fn)) throw new TypeError('startActiveSpan takes a function as its last argument');
    const context = isContext(given) ? given : getCurrentContext();
    const span = this.startSpan(name, isOptions(options) ? options : {}, context);
    return runIn(withSpan(context, span), () => fn(span));
  }

  #start(name: string, options: SpanOptions, context: Context): Span {
    const recording = getCurrentRecording();
    const kind = options.kind ?? internalKind;
    // A span of kind SERVER is the request itself, which is not a step.
    if (recording === undefined || kind === serverKind) return createQuietSpan(context);
    const { attributes, startTime } = options;
    const parent = findParent(recording, context);
    const operation = parent === null ? undefined : operations.get(parent);
    if (parent !== null && operation !== undefined && isDatabase(kind, attributes))
      return new StepSpan(
        recording,
        parent,
        { name: String(name), kind, attributes, scope: this.#scope },
        operation,
      );
    const start = { name: String(name), kind, attributes, startMicros: stepMicros(startTime) };
    const step = openSpanStep(recording, start, context);
    if (step === null) return createQuietSpan(context);
    const span = new StepSpan(recording, step, { ...start, attributes, scope: this.#scope });
    noteSpan(span, step);
    if (attributes !== undefined && isOperation(this.#scope, attributes)) operations.set(step, span);
    return span;
  }
}

/** The span of each operation that an author called directly, by the operation's step. */
const operations = new WeakMap<ActiveStep, StepSpan>();

function isDatabase(kind: number, attributes: Attributes | undefined): boolean {
  return toStepType({ kind, attributes: attributes ?? {} }) === 'database';
}

export interface SpanOpening {
  readonly name: string;
  readonly kind: number;
  readonly attributes: unknown;
  /** Start time of the span on the clock of the steps; undefined if the span starts now. */
  readonly startMicros: number | undefined;
}

/**
 * Opens the step of a span. The step's parent is the step of the context's span, or the current step if the current step is deeper. Returns
 * null if the step limit is reached.
 */
export function openSpanStep(recording: Recording, start: SpanOpening, context: Context): ActiveStep | null {
  const parent = findParent(recording, context);
  // The step's parent can be unknown because calls that are counted in a call aggregate did not change the async context. From now on,
  // such calls change the context, so that the parents of later steps are known.
  if (parent === null) propagation.on = true;
  const attributes = isObjectOrFunction(start.attributes)
    ? Object.fromEntries(Object.entries(start.attributes))
    : {};
  const type = toStepType({ kind: start.kind, attributes });
  const step = recording.open({ name: recording.shorten(start.name, maxName), type, parent });
  if (step !== null && start.startMicros !== undefined) step.startMicros = start.startMicros;
  return step;
}

function findParent(recording: Recording, context: Context): ActiveStep | null {
  const span = getContextSpan(context);
  const given = span && stepOfSpan(span, recording);
  const { here } = recording;
  return given === undefined || (here !== null && isBelow(here, given)) ? here : given;
}

function createQuietSpan(context: Context): Span {
  return new NonRecordingSpan(getContextSpan(context)?.spanContext() ?? noSpanContext);
}

function isSpanFunction<F extends (span: Span) => unknown>(value: unknown): value is F {
  return typeof value === 'function';
}

function isOptions(value: unknown): value is SpanOptions {
  return typeof value === 'object' && value !== null;
}

/** Provides one tracer per scope. `successor` returns the host's own provider once the host has one. */
export class StepTracerProvider implements TracerProvider {
  readonly #tracers = new Map<string, StepTracer>();
  readonly #successor: () => TracerProvider | undefined;

  constructor(successor: () => TracerProvider | undefined = () => undefined) {
    this.#successor = successor;
  }

  getTracer(name: string, version?: string): Tracer {
    let tracer = this.#tracers.get(name);
    if (tracer === undefined) {
      let own: Tracer | undefined;
      tracer = new StepTracer(name, () => {
        own ??= this.#successor()?.getTracer(name, version);
        return own;
      });
      this.#tracers.set(name, tracer);
    }
    return tracer;
  }
}
