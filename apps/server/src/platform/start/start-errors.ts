import { findDiskTrouble } from '../disks/disk-trouble.ts';
import { OperatorError } from '../operator-error.ts';
import { isUnreachable } from '../unreachable.ts';

/** Messages for the operator, by the error code (SQLSTATE) that PostgreSQL returns. Appendix A of PostgreSQL's manual lists the codes. */
const POSTGRES: Readonly<Record<string, string>> = {
  '3D000': 'The database that DATABASE_URL names does not exist: create it, or correct the name',
  '28000': 'PostgreSQL refuses the user of DATABASE_URL',
  '28P01': 'PostgreSQL refuses the password in DATABASE_URL',
  '42501': 'The user of DATABASE_URL lacks the right to create tables',
  '53300': 'PostgreSQL has no connection left for this server: raise its max_connections',
};

/** Messages for the operator, by the error code that ClickHouse returns. ClickHouse's file `src/Common/ErrorCodes.cpp` lists the codes. */
const CLICKHOUSE: Readonly<Record<string, string>> = {
  '81': 'The database that CLICKHOUSE_DATABASE names does not exist: create it, or correct the name',
  '192': 'ClickHouse does not know the user of CLICKHOUSE_USER',
  '193': 'ClickHouse refuses CLICKHOUSE_PASSWORD',
  '497': 'The user of CLICKHOUSE_USER lacks a grant; docs/scaling.md lists the required grants',
  '516': 'ClickHouse refuses CLICKHOUSE_USER and CLICKHOUSE_PASSWORD',
};

const MAX_DEPTH = 5;

/** Describes, on one line, an error that the operator can fix. Returns undefined for errors of the program itself. */
export function explainStartError(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  if (isUnreachable(error))
    return `Cannot connect to PostgreSQL or ClickHouse at the configured address: ${findRootMessage(error)}`;
  const trouble = findDiskTrouble(error);
  if (trouble === 'full') return `The disk is full: free space, then start again (${findRootMessage(error)})`;
  if (trouble === 'read-only')
    return `The disk is read-only: mount it for writing, or set DATA_DIR (${findRootMessage(error)})`;
  for (const cause of listCauses(error)) {
    if (!('code' in cause) || typeof cause.code !== 'string') continue;
    const known = POSTGRES[cause.code] ?? CLICKHOUSE[cause.code];
    if (known !== undefined) return `${known}: ${takeFirstLine(cause.message)}`;
    if (cause.code === 'EADDRINUSE') return `PORT is in use by another program: ${cause.message}`;
    if (cause.code === 'EADDRNOTAVAIL') return `HOST is not an address of this machine: ${cause.message}`;
    if (cause.code === 'EACCES' || cause.code === 'EPERM')
      return `The server's user lacks a permission: ${cause.message}`;
  }
  return undefined;
}

function listCauses(error: unknown): Error[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < MAX_DEPTH) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
}

function findRootMessage(error: unknown): string {
  const last = listCauses(error).at(-1);
  return last === undefined ? String(error) : takeFirstLine(last.message || String(last));
}

function takeFirstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
