import { describe, expect, it } from 'vitest';
import type { BoundStatement } from './bind-parameters.ts';
import { hasRunnableSql, listParameters, writeRunnableSql } from './write-runnable-sql.ts';

const on =
  (dialect: BoundStatement['dialect'], driver?: string) =>
  (sql: string, parameters: BoundStatement['parameters']) =>
    writeRunnableSql({ sql, dialect, driver, parameters });
const postgres = on('postgresql');
const mysql = on('mysql');
const sqlite = on('sqlite');

describe('a literal of PostgreSQL', () => {
  it.each<[string, BoundStatement['parameters'] & object, string]>([
    ['a text with quotes', ["it's"], "'it''s'"],
    ['a text with a backslash', ['a\\b'], "E'a\\\\b'"],
    ['a number', [1.5], '1.5'],
    ['a negative number', [-1], '(-1)'],
    ['an infinite number', [{ $type: 'number', value: '-Infinity' }], "'-Infinity'::float8"],
    ['a boolean', [true], 'true'],
    ['null', [null], 'NULL'],
    ['undefined', [{ $type: 'undefined' }], 'NULL'],
    ['a bigint', [{ $type: 'bigint', value: '9007199254740993' }], '9007199254740993'],
    [
      'a date',
      [{ $type: 'Date', value: '2026-01-02T03:04:05.678Z' }],
      "'2026-01-02T03:04:05.678Z'::timestamptz",
    ],
    ['bytes', [{ $type: 'Buffer', size: 3, base64: 'AH//' }], "'\\x007fff'::bytea"],
    ['an array', [['a', null, 'b"c', ['d']]], `E'{"a",NULL,"b\\\\"c",{"d"}}'`],
    ['an object', [{ a: ["it's", 1] }], `'{"a":["it''s",1]}'`],
  ])('is written for %s', (_, parameters, literal) => {
    expect(postgres('select $1', parameters)).toBe(`select ${literal}`);
  });
});

describe('a literal of MySQL', () => {
  it.each<[string, string, BoundStatement['parameters'] & object, string]>([
    ['a text with quotes and backslashes', 'select ?', ["it's \\ \n"], "select 'it''s \\\\ \\n'"],
    ['bytes', 'select ?', [{ $type: 'Buffer', size: 2, base64: 'AH8=' }], "select X'007f'"],
    ['a list', 'select 1 from t where a in (?)', [[1, 'b']], "select 1 from t where a in (1, 'b')"],
    [
      'rows',
      'insert into t values ?',
      [
        [
          [1, 'a'],
          [2, 'b'],
        ],
      ],
      "insert into t values (1, 'a'), (2, 'b')",
    ],
    ['assignments', 'update t set ?', [{ a: 1, 'b`c': null }], 'update t set `a` = 1, `b``c` = NULL'],
    ['an object', 'select ?', [{ a: 1 }], `select '{"a":1}'`],
    ['a name', 'select ?? from ??', ['t.a', 't'], 'select `t`.`a` from `t`'],
    [
      'a date',
      'select ?',
      [{ $type: 'Date', value: '2026-01-02T03:04:05.678Z' }],
      "-- times are in UTC\nselect '2026-01-02 03:04:05.678'",
    ],
  ])('is written for %s', (_, sql, parameters, expected) => {
    expect(mysql(sql, parameters)).toBe(expected);
  });
});

describe('a number of SQLite', () => {
  it('is real if the driver binds each number as real', () => {
    expect(on('sqlite', 'better-sqlite3')('select 7 / ?', [2])).toBe('select 7 / 2.0');
    expect(on('sqlite', 'sqlite3')('select 7 / ?', [2])).toBe('select 7 / 2');
  });
});

describe('a placeholder', () => {
  it.each<[string, (sql: string, parameters: BoundStatement['parameters']) => string, string, string]>([
    ['a string', postgres, "select '$1', $1", "select '$1', 7"],
    ['an escaped string', postgres, String.raw`select E'\'$1', $1`, String.raw`select E'\'$1', 7`],
    ['a name', postgres, 'select "$1", $1', 'select "$1", 7'],
    ['the rest of a name', postgres, 'select a$1, $1', 'select a$1, 7'],
    ['a comment', postgres, '-- $1\nselect $1', '-- $1\nselect 7'],
    ['a comment in a comment', postgres, '/* /* */ $1 */ select $1', '/* /* */ $1 */ select 7'],
    [
      'a dollar-quoted string',
      postgres,
      'select $$ $1 $$, $a$ $1 $$ $a$, $1',
      'select $$ $1 $$, $a$ $1 $$ $a$, 7',
    ],
    ['an operator', postgres, "select a ? 'b', c ?| d, $1::int", "select a ? 'b', c ?| d, 7::int"],
    ['a string', mysql, `select '?', "?", 'it\\'s ?', ?`, `select '?', "?", 'it\\'s ?', 7`],
    ['a name or comment', mysql, 'select `?` # ?\n, ? -- ?', 'select `?` # ?\n, 7 -- ?'],
    ['a string or name', sqlite, `select '?', "?", [?], ?1`, `select '?', "?", [?], 7`],
  ])('inside %s is not replaced', (_, write, sql, expected) => {
    expect(write(sql, [7])).toBe(expected);
  });

  it('is replaced wherever it is repeated, in any order', () => {
    expect(postgres('select $2, $1, $2', ['a', 'b'])).toBe("select 'b', 'a', 'b'");
    expect(sqlite('select ?2, ?1, ?2', ['a', 'b'])).toBe("select 'b', 'a', 'b'");
  });

  it.each([':id', '@id', '$id'])('with the name %s gets the value of this name', (name) => {
    expect(sqlite(`select ${name}, ?, ${name}`, [{ id: 1 }, 'b'])).toBe("select 1, 'b', 1");
    expect(sqlite(`select ${name}`, { [name]: 1 })).toBe('select 1');
    expect(sqlite(`select ${name}, ${name}`, [1])).toBe('select 1, 1');
  });

  it('gets the value with its number, even if OpenTelemetry numbers the values from 0', () => {
    expect(postgres('select $1, $2', { '0': 'a', '1': 'b' })).toBe("select 'a', 'b'");
    expect(mysql('select ?, ?', { '0': 'a', '1': 'b' })).toBe("select 'a', 'b'");
  });

  it('is separated from words beside it', () => {
    expect(sqlite('select?from t', [5])).toBe('select 5 from t');
  });

  it('never forms a comment with a minus sign before it', () => {
    expect(postgres('select 5 -$1', [-1])).toBe('select 5 -(-1)');
  });
});

describe('a value that is unknown', () => {
  it('leaves its placeholder, which a comment names with the reason', () => {
    const parameters = [
      { $type: 'redacted', of: 'string' } as const,
      { $type: 'string', value: 'abc', length: 9000 } as const,
      { $type: 'function', name: 'f' } as const,
      { a: { $type: 'redacted', of: 'string' } as const },
      'x',
    ];
    expect(postgres('select $1, $2, $3, $4, $5, $6', parameters)).toBe(
      [
        '-- $1, $4 were redacted',
        '-- $2 was cut',
        '-- $3 has no SQL literal',
        '-- $6 was not captured',
        "select $1, $2, $3, $4, 'x', $6",
      ].join('\n'),
    );
  });

  it('is not replaced by another value if literals of the statement are shown as ?', () => {
    for (const write of [mysql, sqlite])
      expect(write('select ? from t where a = ?', ['x'])).toBe(
        '-- ?1, ?2 were not captured\nselect ? from t where a = ?',
      );
    expect(sqlite('select ? from t where a = :a', ['x'])).toBe(
      '-- ?1, :a were not captured\nselect ? from t where a = :a',
    );
    expect(sqlite('select ? from t where a = :a', [{ a: 'x' }])).toBe(
      "-- ?1 was not captured\nselect ? from t where a = 'x'",
    );
    expect(sqlite('select ? from t where a = ?1', ['x'])).toBe(
      '-- ?1 was not captured\nselect ? from t where a = ?1',
    );
  });

  it.each(['a = ? and b = $1', 'a=? and b = $1', 'b = $1 limit ?', 'f(?) = $1'])(
    'is mentioned if the literal of %s is shown as ?',
    (condition) => {
      expect(postgres(`select 1 from t where ${condition}`, [7])).toMatch(
        /^-- a literal, shown as \?, was not captured\n/,
      );
    },
  );

  it('does not make SQL runnable; a statement that was cut is not runnable either', () => {
    const statement = { sql: 'select $1', dialect: 'postgresql', driver: undefined } as const;
    expect(hasRunnableSql({ ...statement, sql: 'select $1, …', parameters: ['a'] })).toBe(false);
    expect(hasRunnableSql({ ...statement, parameters: [{ $type: 'redacted', of: 'string' }] })).toBe(false);
    expect(hasRunnableSql({ ...statement, parameters: undefined })).toBe(false);
    expect(hasRunnableSql({ ...statement, parameters: ['a'] })).toBe(true);
  });
});

it('the parameters of a statement are listed once, with the values that were captured', () => {
  const sql = 'select $2, $1, $2, $3';
  expect(listParameters({ sql, dialect: 'postgresql', driver: 'pg', parameters: ['a', 'b'] })).toEqual([
    { name: '$2', value: 'b' },
    { name: '$1', value: 'a' },
    { name: '$3', value: undefined },
  ]);
});
