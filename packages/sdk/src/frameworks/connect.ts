import { findRequestTrace } from '../http/trace/request-trace.ts';
import { type FrameworkFile, isFunction, isObject } from './framework.ts';
import { callLayer, type GoOn, isError, through } from './layer-call.ts';
import { describeLayer, type LayerUse } from './layer-use.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** The parts of a Connect application that we use: `use` and the stack. */
interface ConnectApp {
  use: AnyFunction;
  readonly stack: { readonly route: string; handle: unknown }[];
}

export const connectFiles: readonly FrameworkFile[] = [
  {
    packages: ['connect'],
    file: 'index.js',
    couldBe: (exported) => isFunction(exported) && exported.name === 'createServer' && exported.length === 0,
    watch: (exported) => (isFunction(exported) ? watchConnect(exported) : undefined),
  },
];

/** Connect's function, whose applications make each of their middlewares a step. */
function watchConnect(createServer: AnyFunction): AnyFunction {
  return Object.assign(function watchedServer(this: unknown, ...args: unknown[]): unknown {
    const app = createServer.apply(this, args);
    if (isApp(app)) watchApp(app);
    return app;
  }, createServer);
}

function isApp(app: unknown): app is ConnectApp {
  return typeof app === 'function' && 'use' in app && 'stack' in app && Array.isArray(app.stack);
}

function watchApp(app: ConnectApp): void {
  const { use } = app;
  app.use = function (this: ConnectApp, ...args: unknown[]): unknown {
    const before = this.stack.length;
    const result = use.apply(this, args);
    const given = typeof args[0] === 'string' ? args[1] : args[0];
    // An application mounted in another is no step: its own middlewares are.
    const mounted = typeof given === 'function' && 'handle' in given;
    for (const entry of this.stack.slice(before)) {
      if (isFunction(entry.handle)) entry.handle = watchedMiddleware(entry.handle, entry.route, mounted);
    }
    return result;
  };
}

/** Connect tells middlewares from error handlers by their number of parameters, so each kind has its own. */
function watchedMiddleware(fn: AnyFunction, mount: string, mounted: boolean): AnyFunction {
  const use = describeLayer(fn, 'middleware', `middleware ${mount || '/'}`, mounted);
  if (fn.length > 3) {
    return (error: unknown, req: unknown, res: unknown, next: unknown) =>
      asStep(use, req, (goOn) => fn(error, req, res, through(next, goOn)), error);
  }
  return (req: unknown, res: unknown, next: unknown) =>
    asStep(use, req, (goOn) => fn(req, res, through(next, goOn)));
}

function asStep(use: LayerUse, req: unknown, call: (goOn?: GoOn) => unknown, error?: unknown): unknown {
  const trace = isObject(req) ? findRequestTrace(req) : undefined;
  if (trace === undefined || trace.ended) return call();
  if (isError(error)) trace.reportError(error);
  const { recording } = trace;
  return recording === null ? call() : callLayer(() => ({ trace, recording, use, manner: 'passing' }), call);
}
