import { findRequestTrace } from '../../http/trace/request-trace.ts';
import { isObject } from '../../internal/is-object.ts';
import { isFunction, makeAlike } from '../framework.ts';
import { isError } from '../layer-call.ts';

type AnyFunction = (...args: unknown[]) => unknown;

export interface HandlingRouter {
  handle: AnyFunction;
}

const patched = new WeakSet<HandlingRouter>();

/**
 * Reports errors that the outermost router passes on because no error handler caught them. The layers do not report errors of the router
 * itself, such as a path that cannot be decoded.
 */
export function patchHandle(router: HandlingRouter): void {
  if (patched.has(router)) return;
  patched.add(router);
  const { handle } = router;
  router.handle = makeAlike(handle, function (this: unknown, ...args: unknown[]): unknown {
    const [req, , done] = args;
    // `baseUrl` is undefined only when the outermost router is called, which then sets it.
    if (isFunction(done) && isObject(req) && Reflect.get(req, 'baseUrl') === undefined) {
      const trace = findRequestTrace(req);
      if (trace?.ended === false)
        args[2] = function (this: unknown, ...passed: unknown[]): unknown {
          if (isError(passed[0])) trace.reportError(passed[0]);
          return done.apply(this, passed);
        };
    }
    return handle.apply(this, args);
  });
}
