import type { ServerResponse } from 'node:http';
import { findRequestTrace } from '../../http/trace/request-trace.ts';
import { isFunction, makeAlike } from '../framework.ts';
import {
  beginLayer,
  endReturnedLayer,
  endThrownLayer,
  type LayerCall,
  leaveLayer,
  wrapNext,
} from '../layer-call.ts';
import { describeLayer, type LayerUse } from '../layer-use.ts';
import type { RoutedRequest } from './layer-shape.ts';

type AnyFunction = (...args: unknown[]) => unknown;

export interface ParamRouter {
  param: AnyFunction;
}

const patched = new WeakSet<ParamRouter>();

/**
 * Makes each function that is registered with `router.param(name, fn)` a step of the request. Such a function calls `next`, as a middleware
 * does. If its `next` were not wrapped, the steps of all later layers would be below the function's step.
 */
export function patchParams(router: ParamRouter): void {
  if (patched.has(router)) return;
  patched.add(router);
  const { param } = router;
  router.param = makeAlike(param, function (this: unknown, ...args: unknown[]): unknown {
    const [name, fn] = args;
    if (typeof name === 'string' && isFunction(fn)) args[1] = wrapParam(fn, name);
    return param.apply(this, args);
  });
}

function wrapParam(fn: AnyFunction, name: string): AnyFunction {
  const use = describeLayer(fn, 'middleware', `param :${name.replace(/^:/, '')}`);
  return makeAlike(fn, function (this: unknown, ...args: unknown[]): unknown {
    const [req, , next] = args as [RoutedRequest, ServerResponse, unknown];
    const running = isFunction(next) ? beginLayer(() => describeParamCall(use, req)) : undefined;
    if (running === undefined || !isFunction(next)) return fn.apply(this, args);
    args[2] = wrapNext(running, next);
    try {
      const result = fn.apply(this, args);
      endReturnedLayer(running, result);
      return result;
    } catch (error) {
      endThrownLayer(running, error);
      throw error;
    } finally {
      leaveLayer(running);
    }
  });
}

function describeParamCall(use: LayerUse, req: RoutedRequest): LayerCall | undefined {
  const trace = findRequestTrace(req);
  if (trace === undefined || trace.ended || trace.recording === null) return undefined;
  return { trace, recording: trace.recording, use, manner: 'passing' };
}
