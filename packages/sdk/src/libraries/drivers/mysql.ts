import type { FrameworkFile } from '../../frameworks/framework.ts';
import { isMethod, readProperty, readTextProperty, replaceOnce } from '../../internal/foreign.ts';
import { runGuarded } from '../../internal/report.ts';
import { propagation } from '../../record/async/async-parent.ts';
import { readMysqlCall } from './mysql-call.ts';
import { keepContext, type RunningQuery, startQuery, wrapMethod } from './query.ts';

const DRIVER = 'mysql';

/** Query objects that have a step. If a pool later passes such an object to a connection, the query must not get a second step. */
const followed = new WeakSet<object>();

/** A pool's query waits for a connection, so the query's step begins when the pool receives the query. */
export const mysqlFiles: readonly FrameworkFile[] = [
  queryFile('Connection.js', ['query', 'beginTransaction']),
  queryFile('Pool.js', ['query', 'acquireConnection']),
];

function queryFile(file: string, methods: readonly string[]): FrameworkFile {
  const findPrototype = (exported: unknown) =>
    isMethod(exported) ? readProperty(exported, 'prototype') : undefined;
  return {
    packages: [DRIVER],
    file,
    couldBe: (exported) => methods.every((method) => isMethod(readProperty(findPrototype(exported), method))),
    patch(exported) {
      propagation.on = true;
      patchQuery(findPrototype(exported));
      return undefined;
    },
  };
}

function patchQuery(prototype: unknown): void {
  replaceOnce(prototype, 'query', (original) => {
    return function (...args) {
      const [asked] = args;
      if (typeof asked === 'object' && asked !== null && followed.has(asked))
        return original.apply(this, args);
      const query = startQuery(() => ({
        driver: DRIVER,
        system: DRIVER,
        ...readMysqlCall(args),
        database: findDatabase(readProperty(this, 'config')),
      }));
      if (query === undefined) return original.apply(this, args);
      const bound = args.map((arg) => (isMethod(arg) ? keepContext(arg) : arg));
      let running: unknown;
      try {
        running = query.within(() => original.apply(this, bound));
      } catch (error) {
        query.fail(error);
        throw error;
      }
      runGuarded('Recording a query', () => endWith(query, running));
      return running;
    };
  });
}

/** Ends the step when the query ends: the driver then calls the query's `end`, even if the host passed no callback. */
function endWith(query: RunningQuery, running: unknown): void {
  if (typeof running === 'object' && running !== null) followed.add(running);
  wrapMethod(running, 'end', (error, result) => {
    if (error) query.fail(error);
    else query.end(countRows(result), result);
  });
}

function countRows(result: unknown): number | undefined {
  if (Array.isArray(result)) return result.length;
  const affected = readProperty(result, 'affectedRows');
  return typeof affected === 'number' ? affected : undefined;
}

/** Finds the name of the database. A pool's settings contain the settings of its connections. */
function findDatabase(config: unknown): string | undefined {
  return (
    readTextProperty(config, 'database') ??
    readTextProperty(readProperty(config, 'connectionConfig'), 'database')
  );
}
