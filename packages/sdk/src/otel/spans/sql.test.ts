import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeFirstUnits } from '../../record/snapshot/text.ts';
import { maskSql, type SqlDialect, summarizeSql } from './sql.ts';

describe.each<[SqlDialect, string, string]>([
  ['standard', "SELECT * FROM t WHERE a = 'x'", 'SELECT * FROM t WHERE a = ?'],
  ['standard', "SELECT 'it''s', E'a\\'b', $1, $$body's$$, $tag$a$$b$tag$", 'SELECT ?, ?, $1, ?, ?'],
  ['standard', "VALUES ('a\\', 'secret')", 'VALUES (?, ?)'],
  [
    'standard',
    'SELECT 1, -2.5e3, 0xff, .5, t1, "na1me", x.y2 LIMIT 10',
    'SELECT ?, ?, ?, ?, t1, "na1me", x.y2 LIMIT 10',
  ],
  [
    'standard',
    'SELECT a FROM t WHERE b = 7 LIMIT 10 OFFSET 40',
    'SELECT a FROM t WHERE b = ? LIMIT 10 OFFSET 40',
  ],
  ['standard', 'SELECT a FROM t FETCH FIRST 5 ROWS ONLY', 'SELECT a FROM t FETCH FIRST 5 ROWS ONLY'],
  [
    'standard',
    "SELECT a FROM t WHERE credit_limit = 900 LIMIT 4111111111111111 -- LIMIT '1'\n, limit 1.5, limit '2'",
    "SELECT a FROM t WHERE credit_limit = ? LIMIT ? -- LIMIT '1'\n, limit ?, limit ?",
  ],
  ['mysql', 'SELECT a FROM t LIMIT 20, 10', 'SELECT a FROM t LIMIT 20, 10'],
  [
    'standard',
    "SELECT \"it's\" -- don't 1\n, 'x' /* it's 2 */, 3",
    "SELECT \"it's\" -- don't 1\n, ? /* it's 2 */, ?",
  ],
  ['standard', "SELECT 'never closed", 'SELECT ?'],
  ['standard', '', ''],
  ['mysql', `SELECT "a\\"b", 'a\\'b', \`na'me\`, 'x' # it's`, "SELECT ?, ?, `na'me`, ? # it's"],
  ['mysql', 'SELECT * FROM t WHERE id = ? AND n = -1', 'SELECT * FROM t WHERE id = ? AND n = ?'],
])('%s: %s', (dialect, sql, masked) => {
  test('the literals are masked', () => {
    expect(maskSql(sql, dialect, takeFirstUnits)).toBe(masked);
  });
});

/** Quotes a string as an SQL literal, with all escapes that the dialect requires. */
function quoted(text: string, dialect: SqlDialect): string {
  const escaped = text.replaceAll("'", "''");
  return `'${dialect === 'mysql' ? escaped.replaceAll('\\', '\\\\') : escaped}'`;
}

test.each<SqlDialect>(['standard', 'mysql'])(
  '%s: literals with any content are masked completely',
  (dialect) => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 1, maxLength: 5 }),
        (texts) => {
          const list = texts.map((text) => quoted(text, dialect)).join(', ');
          const marks = texts.map(() => '?').join(', ');
          expect(maskSql(`INSERT INTO t (a) VALUES (${list}) RETURNING id`, dialect, takeFirstUnits)).toBe(
            `INSERT INTO t (a) VALUES (${marks}) RETURNING id`,
          );
        },
      ),
      { numRuns: 500 },
    );
  },
);

test('hostile SQL statements of 100,000 characters are cut to the length limit', () => {
  for (const text of [
    "'".repeat(100_001),
    '/*'.repeat(50_000),
    '$a'.repeat(50_000),
    '1e'.repeat(50_000),
    '('.repeat(100_000),
  ]) {
    expect(maskSql(text, 'standard', takeFirstUnits).length).toBeLessThanOrEqual(8001);
    expect(maskSql(text, 'mysql', takeFirstUnits).length).toBeLessThanOrEqual(8001);
    expect(summarizeSql(text).length).toBeLessThan(8100);
  }
});

test.each([
  ['select * from "public"."users" where id = 1', 'SELECT public.users'],
  ['  -- why\n/* so */ INSERT INTO orders (a) VALUES (1)', 'INSERT orders'],
  ['update only shop.carts set a = 1', 'UPDATE shop.carts'],
  ['(SELECT 1)', 'SELECT'],
  ['COMMIT', 'COMMIT'],
  ['create table if not exists t (a int)', 'CREATE t'],
  ['', 'SQL'],
])('the statement %s is named %s', (sql, name) => {
  expect(summarizeSql(sql)).toBe(name);
});
