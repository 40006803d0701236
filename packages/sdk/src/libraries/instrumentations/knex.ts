import { type Context, trace } from '@opentelemetry/api';
import { KnexInstrumentation } from '@opentelemetry/instrumentation-knex';
import { isMethod, type Method, readProperty, replaceOnce } from '../../internal/foreign.ts';
import { isObject } from '../../internal/is-object.ts';
import { type Patch, patchWith, type Tools } from './tools.ts';

/**
 * Makes each query a step below the step that runs the query. A query that runs in the context of another request, or of none, is below the
 * step that built it.
 */
export function create(tools: Tools): Patch {
  const instrumentation = new KnexInstrumentation({
    enabled: false,
    requireParentSpan: true,
    maxQueryLength: 8000,
  });
  const contextKey = findContextKey(instrumentation);
  const keepContext = (builder: unknown, context: Context): void => {
    if (isObject(builder)) Object.defineProperty(builder, contextKey, { value: context, configurable: true });
  };
  const keepBuilt = (original: Method): Method => {
    return function (...args) {
      const builder = original.apply(this, args);
      keepContext(builder, tools.contextManager.active());
      return builder;
    };
  };
  const runBuilt = (original: Method): Method => {
    return function (...args) {
      const run = (): unknown => original.apply(this, args);
      const builder = readProperty(this, 'builder');
      if (!isObject(builder)) return run();
      return tools.startReturned(builder, () => {
        const context = tools.contextManager.active();
        const built: Context | undefined = Reflect.get(builder, contextKey);
        if (built !== undefined && readTraceId(built) !== readTraceId(context))
          return tools.contextManager.with(built, run);
        keepContext(builder, context);
        return run();
      });
    };
  };
  Reflect.set(instrumentation, 'storeContext', keepBuilt);
  const patch = patchWith(instrumentation, tools);
  return (name, exports, folder) => {
    const prototype = readProperty(exports, 'prototype');
    if (name.endsWith('/runner.js')) replaceOnce(prototype, 'run', runBuilt);
    if (!name.startsWith('knex/lib/dialects/')) return patch(name, exports, folder);
    // Most dialects have query builders of their own, which the instrumentation does not patch.
    for (const method of ['queryBuilder', 'schemaBuilder', 'raw'])
      if (isObject(prototype) && Object.hasOwn(prototype, method)) replaceOnce(prototype, method, keepBuilt);
    return exports;
  };
}

function readTraceId(context: Context): string | undefined {
  return trace.getSpanContext(context)?.traceId;
}

/** Finds the instrumentation's private symbol, under which a builder's context is stored. */
function findContextKey(instrumentation: object): symbol {
  const store: unknown = Reflect.get(instrumentation, 'storeContext');
  const builder = {};
  const build: unknown = isMethod(store) ? store.call(instrumentation, () => builder) : undefined;
  if (isMethod(build)) build();
  const [key] = Object.getOwnPropertySymbols(builder);
  if (key === undefined) throw new Error('the instrumentation stores no context');
  return key;
}
