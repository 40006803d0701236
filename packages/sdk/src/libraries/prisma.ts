import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { call, readProperty } from '../internal/foreign.ts';
import { isObjectOrFunction } from '../internal/is-object.ts';
import { getContextSpan, getCurrentContext, isContext, runIn, withSpan } from '../otel/context.ts';
import { formatTraceParent } from '../otel/propagator.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';

/**
 * The global variable in which Prisma's client (4.2 and later) looks for a tracer. Prisma's own instrumentation replaces the value that the
 * SDK sets.
 */
const place = 'PRISMA_INSTRUMENTATION';

/** The traceparent that the client treats as "not traced". */
const unsampled = '00-10-10-00';

type SpanCallback = (span?: Span, context?: Context) => unknown;

/** Creates steps for the operations and queries of Prisma's client. Loads nothing, because the client itself looks for the tracer. */
export function registerPrismaTracer(tracer: Tracer): void {
  if (Object.hasOwn(globalThis, place)) return;
  const helper = {
    isEnabled: () => getCurrentRecording() !== undefined,
    getTraceParent(context?: unknown): string {
      const span = getContextSpan(isContext(context) ? context : getCurrentContext())?.spanContext();
      return span === undefined ? unsampled : formatTraceParent(span);
    },
    // Engines before Prisma 7 run outside of JavaScript. The client has already recorded their operations, so the spans of engines are
    // ignored.
    dispatchEngineSpans(): void {},
    getActiveContext: getCurrentContext,
    runInChildSpan: (options: unknown, callback: SpanCallback): unknown =>
      runAsSpan(tracer, options, callback),
  };
  Object.defineProperty(globalThis, place, { value: { helper }, writable: true, configurable: true });
}

function runAsSpan(tracer: Tracer, given: unknown, callback: SpanCallback): unknown {
  const options = typeof given === 'string' ? { name: given } : given;
  if (getCurrentRecording() === undefined || readProperty(options, 'internal') === true) return callback();
  const wanted = readProperty(options, 'context');
  const context = isContext(wanted) ? wanted : getCurrentContext();
  const name = String(readProperty(options, 'name'));
  const { attributes, asked } = describe(options, name);
  const span = tracer.startSpan(asked ?? `prisma ${name}`, { attributes }, context);
  const inner = withSpan(context, span);
  const run = (): unknown => callback(span, context);
  return runAndEnd(span, () => (readProperty(options, 'active') === false ? run() : runIn(inner, run)));
}

/**
 * `asked` is the operation that the host's code called, such as `User.findMany`. It is undefined for an operation that Prisma
 * runs as a part of another operation.
 */
function describe(options: unknown, name: string): { attributes: Attributes; asked: string | undefined } {
  const given = readProperty(options, 'attributes');
  const attributes = isObjectOrFunction(given) ? { ...given } : {};
  const [model, method] = [readProperty(attributes, 'model'), readProperty(attributes, 'method')];
  const asked =
    typeof method === 'string' ? `${typeof model === 'string' ? model : 'prisma'}.${method}` : undefined;
  return {
    asked,
    attributes: {
      ...attributes,
      'db.system.name': readTextOr(
        readProperty(attributes, 'db.system.name') ?? readProperty(attributes, 'db.system'),
        'prisma',
      ),
      ...(asked !== undefined && { 'db.operation.name': asked }),
      'prisma.layer': name,
    },
  };
}

function readTextOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** Runs `run` and ends the span when `run` returns. If the result is a thenable, ends the span when the thenable settles. */
function runAndEnd(span: Span, run: () => unknown): unknown {
  const fail = (error: unknown): void => {
    span.recordException(error instanceof Error ? error : String(error));
    span.end();
  };
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    fail(error);
    throw error;
  }
  if (typeof readProperty(result, 'then') !== 'function') {
    span.end();
    return result;
  }
  return call(
    result,
    'then',
    (value: unknown) => {
      span.end();
      return value;
    },
    (error: unknown) => {
      fail(error);
      throw error;
    },
  );
}
