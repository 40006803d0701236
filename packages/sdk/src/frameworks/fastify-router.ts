import { findRequestTrace } from '../http/trace/request-trace.ts';
import { isObject } from '../internal/is-object.ts';
import { type FrameworkFile, hasMethods, isFunction } from './framework.ts';

/** The router's methods for addresses that it refuses, with the code and message of Fastify's error. */
const refusals = [
  ['_onBadUrl', 'FST_ERR_BAD_URL', 'is not a valid url component'],
  ['_onMaxParamLength', 'FST_ERR_MAX_PARAM_LENGTH', 'is exceeding the max param length'],
] as const;

/** Fastify's router, which refuses some addresses before Fastify runs hooks or creates an error. */
export const fastifyFiles: readonly FrameworkFile[] = [
  {
    packages: ['find-my-way'],
    file: 'index.js',
    folder: 'find-my-way',
    couldBe: isFunction,
    patch(exported) {
      const prototype: unknown = isFunction(exported) ? exported.prototype : undefined;
      for (const [method, code, reason] of refusals) {
        if (!hasMethods(prototype, [method])) continue;
        const refuse = prototype[method];
        prototype[method] = function (this: unknown, ...args: unknown[]): unknown {
          const found = refuse?.apply(this, args);
          if (!isObject(found) || !('handler' in found) || !isFunction(found.handler)) return found;
          const { handler } = found;
          found.handler = (...given: unknown[]): unknown => {
            const message = `'${String(args[0])}' ${reason}`;
            if (isObject(given[0])) findRequestTrace(given[0])?.reportFailure({ message, code });
            return handler(...given);
          };
          return found;
        };
      }
    },
  },
];
