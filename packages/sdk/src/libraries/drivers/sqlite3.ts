import type { FrameworkFile } from '../../frameworks/framework.ts';
import { isMethod, readProperty, readTextProperty, replaceOnce } from '../../internal/foreign.ts';
import { propagation } from '../../record/async/async-parent.ts';
import { getCurrentRecording } from '../../record/async/current-recording.ts';
import { flattenArguments, keepContext, type RunningQuery, startQuery, wrapQueryCallback } from './query.ts';

const DRIVER = 'sqlite3';

/** True while a method of a `Database` runs. Such a method uses a `Statement` internally, whose calls must not become further steps. */
let isInDatabaseCall = false;

/** Patches `Database` and `Statement` of the driver, which uses callbacks. */
export const sqlite3File: FrameworkFile = {
  packages: [DRIVER],
  file: 'sqlite3.js',
  couldBe: (exported) =>
    isMethod(readProperty(exported, 'Database')) && isMethod(readProperty(exported, 'Statement')),
  patch(exported) {
    propagation.on = true;
    const database = readProperty(readProperty(exported, 'Database'), 'prototype');
    for (const method of ['run', 'get', 'all', 'each', 'map', 'exec']) patchDatabaseCall(database, method);
    const statement = readProperty(readProperty(exported, 'Statement'), 'prototype');
    for (const method of ['run', 'get', 'all', 'each']) patchStatementCall(statement, method);
    return undefined;
  },
};

function patchDatabaseCall(prototype: unknown, method: string): void {
  replaceOnce(prototype, method, (original) => {
    return function (...args) {
      if (getCurrentRecording() === undefined) return original.apply(this, args);
      const [text, ...values] = args;
      const query = startStatement(
        typeof text === 'string' ? text : undefined,
        values,
        readTextProperty(this, 'filename'),
      );
      return callWith(query, method, args, (wrapped) => {
        const before = isInDatabaseCall;
        isInDatabaseCall = true;
        try {
          return original.apply(this, wrapped);
        } finally {
          isInDatabaseCall = before;
        }
      });
    };
  });
}

function patchStatementCall(prototype: unknown, method: string): void {
  replaceOnce(prototype, method, (original) => {
    return function (...args) {
      if (isInDatabaseCall || getCurrentRecording() === undefined) return original.apply(this, args);
      const query = startStatement(readTextProperty(this, 'sql'), args, undefined);
      return callWith(query, method, args, (wrapped) => original.apply(this, wrapped));
    };
  });
}

function startStatement(
  text: string | undefined,
  args: readonly unknown[],
  database: string | undefined,
): RunningQuery | undefined {
  const values = flattenArguments(args.filter((arg) => !isMethod(arg)));
  return startQuery(() => ({ driver: DRIVER, system: 'sqlite', text, values, database }));
}

/**
 * Runs a call. The last function among `args` is the callback that ends the query. Earlier functions, such as the one that receives the
 * rows of `each`, are only bound to the current request and step. If `args` contains no function, the query ends when the call returns.
 */
function callWith(
  query: RunningQuery | undefined,
  method: string,
  args: readonly unknown[],
  call: (args: unknown[]) => unknown,
): unknown {
  if (query === undefined) return call([...args]);
  const last = args.findLastIndex(isMethod);
  const wrapped = args.map((arg, index) => {
    if (!isMethod(arg)) return arg;
    return index === last ? wrapQueryCallback(query, arg, method === 'get') : keepContext(arg);
  });
  try {
    const result = query.within(() => call(wrapped));
    if (last === -1) query.end();
    return result;
  } catch (error) {
    query.fail(error);
    throw error;
  }
}
