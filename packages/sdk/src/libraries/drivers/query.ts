import { types } from 'node:util';
import type { Attributes, Span } from '@opentelemetry/api';
import { isMethod, type Method, readProperty } from '../../internal/foreign.ts';
import { runGuarded } from '../../internal/report.ts';
import { getCurrentContext, runIn, stepContextManager, withSpan } from '../../otel/context.ts';
import { returnedRows } from '../../otel/spans/attribute-names.ts';
import { noteBoundValues, noteRows } from '../../otel/spans/step-span.ts';
import { StepTracerProvider } from '../../otel/tracer.ts';
import { getCurrentRecording } from '../../record/async/current-recording.ts';
import { copyList } from '../../record/capture/query-values.ts';

const CLIENT_KIND = 2;
/** Maximum number of items that are read from an argument that is a list. */
const MAX_ITEMS = 1000;
const provider = new StepTracerProvider();

/** A statement that a driver is about to run. */
export interface Statement {
  /** The driver's package name. */
  readonly driver: string;
  /** OpenTelemetry's value for `db.system.name`. */
  readonly system: 'mysql' | 'postgresql' | 'sqlite';
  readonly text?: string | undefined;
  /** The values of the parameters, by position. */
  readonly values?: readonly unknown[] | undefined;
  /** The database's name or file. */
  readonly database?: string | undefined;
}

/** The step of a running statement. Each method is safe to call late or twice. */
export interface RunningQuery {
  /** Calls `run` with the query's step as the active step. */
  within<T>(run: () => T): T;
  /** Sets the SQL. Called if the SQL is known only when the driver returns the result. */
  describe(text: string | undefined): void;
  /** Ends the step. `count` is the number of rows that the statement returned or changed, and `rows` are the returned rows, if any. */
  end(count?: number, rows?: unknown): void;
  fail(error: unknown): void;
}

/** Opens the step of a statement. Returns undefined outside of a request. Never throws. */
export function startQuery(describe: () => Statement): RunningQuery | undefined {
  if (getCurrentRecording() === undefined) return undefined;
  return runGuarded('Starting a query', () => beginQuery(describe()));
}

function beginQuery({ driver, system, text, values, database }: Statement): RunningQuery {
  const attributes: Attributes = { 'db.system.name': system };
  if (text !== undefined) attributes['db.query.text'] = text;
  if (database !== undefined) attributes['db.namespace'] = database;
  const context = getCurrentContext();
  const span = provider
    .getTracer(driver)
    .startSpan(`${system} query`, { kind: CLIENT_KIND, attributes }, context);
  noteBoundValues(span, text, values);
  return {
    within: (run) => runIn(withSpan(context, span), run),
    describe(said) {
      if (said !== undefined) span.setAttribute('db.query.text', said);
    },
    end(count, rows) {
      if (count !== undefined) span.setAttribute(returnedRows, count);
      noteRows(span, rows);
      span.end();
    },
    fail: (error) => failSpan(span, error),
  };
}

function failSpan(span: Span, error: unknown): void {
  span.recordException(error instanceof Error ? error : String(error));
  span.end();
}

/**
 * Wraps a driver's callback `(error, result)`. The wrapper ends the query's step, and calls the callback as work of the function that made
 * the query, because a native driver calls back without an async context. `this` and the arguments are unchanged. `returnsRow` is true if the
 * result is a single row.
 */
export function wrapQueryCallback(query: RunningQuery, callback: Method, returnsRow = false): Method {
  const bound = keepContext(callback);
  return function (...args) {
    const [error, answer] = args;
    const result = returnsRow && answer !== undefined ? [answer] : answer;
    if (error) query.fail(error);
    else query.end(Array.isArray(result) ? result.length : undefined, result);
    return bound.apply(this, args);
  };
}

/** Lists the arguments of a call, with the first items of a list in place of the list. */
export function flattenArguments(args: readonly unknown[]): unknown[] {
  return args.flatMap((arg) =>
    Array.isArray(arg) && !types.isProxy(arg) ? copyList(arg, MAX_ITEMS) : [arg],
  );
}

/** Binds a callback to the current request and step. */
export function keepContext(callback: Method): Method {
  const bound: unknown = stepContextManager.bind(getCurrentContext(), callback);
  return isMethod(bound) ? bound : callback;
}

/** Replaces a method of an object by a function that calls `notice` with the arguments, and then the method. */
export function wrapMethod(target: unknown, name: string, notice: Method): void {
  const original = readProperty(target, name);
  if (typeof target !== 'object' || target === null || !isMethod(original)) return;
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]): unknown {
    runGuarded('Ending a query', () => notice(...args));
    return original.apply(this, args);
  });
}
