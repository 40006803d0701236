import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSql } from './format-sql.ts';
import { splitSql } from './sql-tokens.ts';

const coloured = (sql: string) =>
  splitSql(sql)
    .filter(({ kind }) => kind !== 'other')
    .map(({ kind, text }) => [kind, text]);

const PIECES = [
  'select',
  'FROM',
  'a',
  "'it''s'",
  '"q',
  '`b`',
  '--c\n',
  '/*',
  '$1',
  '?',
  ':n',
  '(',
  ')',
  ',',
  '1.5',
  '<b>',
  'é',
  '‮',
];
const queries = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(' ')),
);

describe('the tokens of a query', () => {
  it.each<[string, string[][]]>([
    [
      'SELECT id FROM carts',
      [
        ['keyword', 'SELECT'],
        ['keyword', 'FROM'],
      ],
    ],
    [
      "where a = 'it''s' and b=$1",
      [
        ['keyword', 'where'],
        ['string', "'it''s'"],
        ['keyword', 'and'],
        ['parameter', '$1'],
      ],
    ],
    ["'from -- not a comment'", [['string', "'from -- not a comment'"]]],
    [
      '-- select\n1',
      [
        ['comment', '-- select'],
        ['number', '1'],
      ],
    ],
    ['/* open', [['comment', '/* open']]],
    ['"select" `from`', []],
    [
      'a::text, :name, ?, @id',
      [
        ['parameter', ':name'],
        ['parameter', '?'],
        ['parameter', '@id'],
      ],
    ],
    ['t1.c2, 1.5e3', [['number', '1.5e3']]],
  ])('are found with their types: %s', (sql, expected) => {
    expect(coloured(sql)).toEqual(expected);
  });

  it('form the query when joined, for any string', () => {
    fc.assert(
      fc.property(queries, (sql) => {
        expect(
          splitSql(sql)
            .map(({ text }) => text)
            .join(''),
        ).toBe(sql);
      }),
    );
  });
});

describe('a formatted query', () => {
  it('has its clauses on separate lines', () => {
    expect(
      formatSql(
        'select c.id, sum(p.price) from carts c join parts p on p.cart = c.id where c.id = $1 limit 5',
      ),
    ).toBe(
      [
        'select',
        '  c.id,',
        '  sum(p.price)',
        'from',
        '  carts c',
        '  join parts p on p.cart = c.id',
        'where',
        '  c.id = $1',
        'limit',
        '  5',
      ].join('\n'),
    );
  });

  it.each([
    '',
    'SELECT 1 …',
    '{"find":"carts"}',
    'select `a` from `b`',
    "E'\\''",
    `select ${'a, '.repeat(5000)}b`,
  ])('differs from the original query only in white space: %j', (sql) => {
    expect(formatSql(sql).replace(/\s+/g, '')).toBe(sql.replace(/\s+/g, ''));
  });

  it('differs from the original only in white space, for any string', () => {
    fc.assert(
      fc.property(queries, (sql) => {
        expect(formatSql(sql).replace(/\s+/g, '')).toBe(sql.replace(/\s+/g, ''));
      }),
    );
  });
});
