import type { FrameworkFile } from '../../frameworks/framework.ts';
import { isMethod, readProperty, readTextProperty, replaceOnce } from '../../internal/foreign.ts';
import { runGuarded } from '../../internal/report.ts';
import { patchExec, patchStatements } from './sqlite-statement.ts';

const DRIVER = 'better-sqlite3';

const findName = (database: unknown): string | undefined => readTextProperty(database, 'name');

/** Native code creates the statements, so their prototype can be read only from a statement: the first one that is created. */
export const betterSqlite3File: FrameworkFile = {
  packages: [DRIVER, 'better-sqlite3-multiple-ciphers'],
  file: 'database.js',
  couldBe: isMethod,
  patch(exported) {
    const prototype = readProperty(exported, 'prototype');
    patchExec(prototype, DRIVER, findName);
    replaceOnce(prototype, 'prepare', (original) => {
      return function (...args) {
        const statement = original.apply(this, args);
        runGuarded('Instrumenting statements', () => {
          patchStatements(Object.getPrototypeOf(statement), {
            driver: DRIVER,
            text: 'source',
            findDatabase: (one) => findName(readProperty(one, 'database')),
          });
        });
        return statement;
      };
    });
    return undefined;
  },
};
