import type { FrameworkFile } from '../../frameworks/framework.ts';
import { betterSqlite3File } from './better-sqlite3.ts';
import { mysqlFiles } from './mysql.ts';
import { postgresJsFile } from './postgres-js.ts';
import { sqlite3File } from './sqlite3.ts';

/** Files of the database drivers that no OpenTelemetry instrumentation covers. */
export const driverFiles: readonly FrameworkFile[] = [
  betterSqlite3File,
  ...mysqlFiles,
  postgresJsFile,
  sqlite3File,
];
