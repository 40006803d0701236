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
 * Reports errors that leave the outermost router: no error handler received them, and no layer passed them on if the router itself raised
 * them, for example while it decoded a path.
 */
export function patchHandle(router: HandlingRouter): void {
  if (patched.has(router)) return;
  patched.add(router);
  const { handle } = router;
  router.handle = makeAlike(handle, function (this: unknown, ...args: unknown[]): unknown {
    const [req, , done] = args;
    // The outermost router sets `baseUrl`.
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
