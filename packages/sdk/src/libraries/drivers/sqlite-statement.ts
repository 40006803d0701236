import { property, replaceOnce, textProperty } from '../foreign.ts';
import { runQuery } from './query.ts';

/** How a driver's prepared statement tells its text and its database. */
export interface StatementShape {
  readonly driver: string;
  /** The statement's property with its SQL. */
  readonly text: string;
  readonly findDatabase: (statement: unknown) => string | undefined;
}

/** Makes each run of a synchronous prepared statement a step. `iterate` counts until it returns its iterator. */
export function patchStatements(prototype: unknown, { driver, text, findDatabase }: StatementShape): void {
  for (const method of ['run', 'get', 'all', 'iterate']) {
    replaceOnce(prototype, method, (original) => {
      return function (...args) {
        return runQuery(
          () => ({
            driver,
            system: 'sqlite',
            text: textProperty(this, text),
            values: args.flat(),
            database: findDatabase(this),
          }),
          () => original.apply(this, args),
          (result) => countRows(method, result),
        );
      };
    });
  }
}

/** Makes `exec` of a database, which takes SQL text, a step. */
export function patchExec(
  prototype: unknown,
  driver: string,
  findDatabase: (database: unknown) => string | undefined,
): void {
  replaceOnce(prototype, 'exec', (original) => {
    return function (...args) {
      return runQuery(
        () => ({
          driver,
          system: 'sqlite',
          text: typeof args[0] === 'string' ? args[0] : undefined,
          database: findDatabase(this),
        }),
        () => original.apply(this, args),
        () => undefined,
      );
    };
  });
}

function countRows(method: string, result: unknown): number | undefined {
  if (method === 'all') return Array.isArray(result) ? result.length : undefined;
  if (method === 'get') return result === undefined ? 0 : 1;
  const changes = method === 'run' ? property(result, 'changes') : undefined;
  return typeof changes === 'number' ? changes : undefined;
}
