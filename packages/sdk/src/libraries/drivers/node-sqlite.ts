import { createRequire } from 'node:module';
import { isBuiltinLoaded, onBuiltinLoad } from '../../internal/builtin-loads.ts';
import { call, readProperty } from '../../internal/foreign.ts';
import { patchExec, patchStatements } from './sqlite-statement.ts';

const DRIVER = 'node:sqlite';

/**
 * Creates steps for the statements of Node's own SQLite module, once the host has loaded it. The SDK never loads the module itself, because
 * loading it prints a warning. Before Node 22.15, the load cannot be detected.
 */
export function patchNodeSqliteOnLoad(): void {
  if (isBuiltinLoaded('sqlite') === true) patchNodeSqlite();
  else onBuiltinLoad('sqlite', patchNodeSqlite);
}

let isPatched = false;

function patchNodeSqlite(): void {
  if (isPatched) return;
  isPatched = true;
  const exported: unknown = createRequire(import.meta.url)('node:sqlite');
  patchExec(readProperty(readProperty(exported, 'DatabaseSync'), 'prototype'), DRIVER, findLocation);
  patchStatements(readProperty(readProperty(exported, 'StatementSync'), 'prototype'), {
    driver: DRIVER,
    text: 'sourceSQL',
    // A statement does not name its database.
    findDatabase: () => undefined,
  });
}

function findLocation(database: unknown): string | undefined {
  const location = call(database, 'location');
  return typeof location === 'string' ? location : undefined;
}
