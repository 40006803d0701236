import type { IncomingMessage } from 'node:http';
import { requestTraceOf } from '../http/request-trace.ts';
import { callLayer, isError } from './layer-call.ts';
import type { Next } from './layer-shape.ts';
import type { LayerUse } from './layer-use.ts';

/** What of a Connect application we touch: how functions are added, and the stack they are added to. */
interface ConnectApp {
  use: (...args: unknown[]) => unknown;
  readonly stack: { readonly route: string; handle: unknown }[];
}

type CreateServer = (...args: unknown[]) => unknown;
type Middleware = (...args: unknown[]) => unknown;

/** Whether an export looks like Connect's: its package's name has the last word. */
export function isConnect(exported: unknown): exported is CreateServer {
  return typeof exported === 'function' && exported.name === 'createServer' && exported.length === 0;
}

/** Connect's function, whose applications make each of their middlewares a step. */
export function watchConnect(createServer: CreateServer): CreateServer {
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
      if (isMiddleware(entry.handle)) entry.handle = watchedMiddleware(entry.handle, entry.route, mounted);
    }
    return result;
  };
}

function isMiddleware(value: unknown): value is Middleware {
  return typeof value === 'function';
}

/** Connect tells middlewares from error handlers by their number of parameters, so each kind has its own. */
function watchedMiddleware(fn: Middleware, mount: string, transparent: boolean): Middleware {
  const use: LayerUse = {
    transparent,
    type: 'middleware',
    name: fn.name || `middleware ${mount || '/'}`,
    fn,
  };
  if (fn.length > 3) {
    return (error: unknown, req: unknown, res: unknown, next: unknown) =>
      asStep(use, req, next, (onward) => fn(error, req, res, onward), error);
  }
  return (req: unknown, res: unknown, next: unknown) =>
    asStep(use, req, next, (onward) => fn(req, res, onward));
}

function asStep(
  use: LayerUse,
  req: unknown,
  next: unknown,
  call: (next: Next) => unknown,
  error?: unknown,
): unknown {
  if (!isMessage(req) || !isMiddleware(next)) return call(isMiddleware(next) ? next : () => {});
  const trace = requestTraceOf(req);
  if (trace === undefined || trace.ended) return call(next);
  if (isError(error)) trace.reportError(error);
  return trace.recording === null ? call(next) : callLayer(trace, trace.recording, use, next, call);
}

function isMessage(value: unknown): value is IncomingMessage {
  return typeof value === 'object' && value !== null && 'emit' in value;
}
