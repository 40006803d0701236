import { expect, test } from 'vitest';
import { explainStartError } from './start-errors.ts';

/** Builds an error with a code, like the errors that Node and the clients of databases throw. */
const coded = (code: string, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

test.each([
  [coded('ENOSPC', 'no space left on device, write'), 'The disk is full: free space, then start again ('],
  [new Error('could not write', { cause: coded('53100', 'No space left on device') }), 'The disk is full: '],
  [coded('EROFS', 'read-only file system, mkdir'), 'The disk is read-only: mount it for writing'],
  [coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:5432'), 'Cannot connect to PostgreSQL or Click'],
  [
    new Error('failed', { cause: coded('ENOTFOUND', 'getaddrinfo') }),
    'Cannot connect to PostgreSQL or ClickHouse',
  ],
  [
    coded('57P03', 'the database system is starting up'),
    'Cannot connect to PostgreSQL or ClickHouse at the configured address: ',
  ],
  [coded('3D000', 'database "x" does not exist'), 'The database that DATABASE_URL names does not exist'],
  [coded('28P01', 'password authentication failed'), 'PostgreSQL refuses the password in DATABASE_URL'],
  [coded('516', 'Authentication failed'), 'ClickHouse refuses CLICKHOUSE_USER and CLICKHOUSE_PASSWORD'],
  [coded('EADDRNOTAVAIL', 'listen EADDRNOTAVAIL: 10.9.9.9:80'), 'HOST is not an address of this machine'],
  [coded('EACCES', "permission denied, mkdir '/x'"), "The server's user lacks a permission: "],
])('%s is explained to the operator on one line', (error, line) => {
  const explained = explainStartError(error);
  expect(explained).toContain(line);
  expect(explained).not.toContain('\n');
});

test.each([new TypeError('x is not a function'), coded('42P01', 'relation "users" does not exist'), 'text'])(
  '%s is an error of the program, which the operator cannot fix',
  (error) => {
    expect(explainStartError(error)).toBeUndefined();
  },
);
