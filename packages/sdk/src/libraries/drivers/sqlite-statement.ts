import { readProperty, readTextProperty, replaceOnce } from '../../internal/foreign.ts';
import { isObject } from '../../internal/is-object.ts';
import { Mark } from '../../record/mark.ts';
import { flattenArguments } from './query.ts';
import { runQuery } from './synchronous-query.ts';

/** Describes where a driver's prepared statement contains its SQL and its database. */
export interface StatementShape {
  readonly driver: string;
  /** Name of the statement's property that contains the SQL. */
  readonly text: string;
  readonly findDatabase: (statement: unknown) => string | undefined;
}

/** Marks a prepared statement with its SQL, which never changes. Node's SQLite creates a new string at each access to the SQL. */
class PreparedSql extends Mark {
  readonly #sql: string;

  private constructor(statement: object, sql: string) {
    super(statement);
    this.#sql = sql;
  }

  static read(statement: unknown, property: string): string | undefined {
    if (!isObject(statement)) return undefined;
    if (#sql in statement) return statement.#sql;
    const sql = readTextProperty(statement, property);
    if (sql !== undefined && Object.isExtensible(statement)) new PreparedSql(statement, sql);
    return sql;
  }
}

/** Creates a step for each run of a synchronous prepared statement. The step of `iterate` ends when the iterator is returned. */
export function patchStatements(prototype: unknown, { driver, text, findDatabase }: StatementShape): void {
  for (const method of ['run', 'get', 'all', 'iterate']) {
    replaceOnce(prototype, method, (original) => {
      return function (...args) {
        return runQuery(
          (withValues) => ({
            driver,
            system: 'sqlite',
            text: PreparedSql.read(this, text),
            values: withValues ? flattenArguments(args) : undefined,
            database: findDatabase(this),
          }),
          () => original.apply(this, args),
          (result) => countRows(method, result),
          (result) => listRows(method, result),
        );
      };
    });
  }
}

/** Creates a step for each call of a database's `exec`, which runs SQL from a string. */
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
        () => undefined,
      );
    };
  });
}

function countRows(method: string, result: unknown): number | undefined {
  if (method === 'all') return Array.isArray(result) ? result.length : undefined;
  if (method === 'get') return result === undefined ? 0 : 1;
  const changes = method === 'run' ? readProperty(result, 'changes') : undefined;
  return typeof changes === 'number' ? changes : undefined;
}

function listRows(method: string, result: unknown): unknown {
  if (method === 'get') return [result];
  return method === 'all' ? result : undefined;
}
