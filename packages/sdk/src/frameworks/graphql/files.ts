import { readProperty } from '../../internal/foreign.ts';
import { isObject } from '../../internal/is-object.ts';
import { EXECUTORS } from '../../loaders/expose-exports.ts';
import { type FrameworkFile, isFunction, makeAlike } from '../framework.ts';
import { type Execution, readArguments, wrapExecution, wrapSubscription } from './wrap-execution.ts';

/**
 * Files with the functions that servers use to execute operations. Apollo uses graphql, and Yoga the executor of
 * graphql-tools. Mercurius uses graphql, and after a few calls a function compiled by graphql-jit.
 */
export const graphqlFiles: readonly FrameworkFile[] = [
  describeExecutionFile('graphql', 'execute.js'),
  describeExecutionFile('graphql', 'execute.mjs'),
  describeExecutionFile('@graphql-tools/executor', 'execute.js'),
  {
    packages: ['graphql'],
    file: 'subscribe.js',
    couldBe: (exported) => isFunction(readProperty(exported, 'subscribe')),
    patch: (exported) => patchFunctions(exported, ['subscribe']),
  },
  {
    packages: ['graphql-jit'],
    file: 'execution.js',
    couldBe: (exported) => isFunction(readProperty(exported, 'compileQuery')),
    patch: (exported) => withCompileQuery(exported),
  },
];

function describeExecutionFile(packageName: string, file: string): FrameworkFile {
  return {
    packages: [packageName],
    file,
    couldBe: (exported) => isFunction(readProperty(exported, 'execute')),
    patch: (exported) => patchFunctions(exported, EXECUTORS),
  };
}

function patchFunctions(exported: unknown, names: readonly string[]): void {
  if (!isObject(exported)) return;
  for (const name of names) {
    const wrapped = (name === 'subscribe' ? wrapSubscription : wrapExecution)(
      readProperty(exported, name),
      readArguments,
    );
    if (wrapped !== undefined) Reflect.set(exported, name, wrapped);
  }
}

/** Wraps graphql-jit's `compileQuery`. Returns a new exports object, because the exports are getters, which cannot be replaced. */
function withCompileQuery(exported: unknown): unknown {
  const compile = readProperty(exported, 'compileQuery');
  if (!isObject(exported) || !isFunction(compile)) return undefined;
  const compileQuery = makeAlike(compile, (...args: unknown[]): unknown => {
    const compiled = compile(...args);
    const [, document, operationName] = args;
    const read = ([, , variables]: readonly unknown[]): Execution => ({ document, operationName, variables });
    const query = wrapExecution(readProperty(compiled, 'query'), read);
    if (isObject(compiled) && query !== undefined) Reflect.set(compiled, 'query', query);
    return compiled;
  });
  return Object.create(exported, { compileQuery: { value: compileQuery, enumerable: true } });
}
