import { dispatchTraced } from '../http/injected.ts';
import { isObject } from '../internal/is-object.ts';
import { type FrameworkFile, hasMethods, isFunction, makeAlike } from './framework.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** The packages with which `fastify.inject` and Hapi's `server.inject` make requests without a server. */
export const injectFiles: readonly FrameworkFile[] = [
  {
    packages: ['light-my-request'],
    file: 'index.js',
    folder: 'light-my-request',
    couldBe: isFunction,
    patch: (exported) => (isFunction(exported) ? wrapInject(exported) : undefined),
  },
  {
    packages: ['@hapi/shot'],
    file: 'index.js',
    folder: 'shot',
    couldBe: isObject,
    patch: (exported) => {
      if (hasMethods(exported, ['inject']) && exported.inject !== undefined)
        exported.inject = makeAlike(exported.inject, wrapInjectCall(exported.inject));
    },
  },
];

/** Wraps the exported function. In the wrapper, a property that refers to the function, such as `default`, refers to the wrapper. */
function wrapInject(inject: AnyFunction): AnyFunction {
  const wrapped = makeAlike(inject, wrapInjectCall(inject));
  for (const [name, value] of Object.entries(inject)) {
    Object.defineProperty(wrapped, name, {
      value: value === inject ? wrapped : value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return wrapped;
}

function wrapInjectCall(inject: AnyFunction): AnyFunction {
  return function (this: unknown, dispatch: unknown, ...rest: unknown[]): unknown {
    return inject.call(this, isPlain(dispatch) ? dispatchTraced(dispatch) : dispatch, ...rest);
  };
}

/** True for a plain function. An Express app is not wrapped, because it must stay the same object. */
function isPlain(dispatch: unknown): dispatch is AnyFunction {
  return isFunction(dispatch) && !('request' in dispatch);
}
