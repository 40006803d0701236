import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import type { CapturedValue } from '@throughline/contract';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRunnableSql } from './write-runnable-sql.ts';

/** Texts with the characters that end or escape literals, and with text that looks like a placeholder. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "'",
        "''",
        '"',
        '\\',
        "\\'",
        '$1',
        '?',
        ':a',
        '--',
        '/*',
        '*/',
        '$$',
        '`',
        '{',
        '}',
        ',',
        '\n',
      ),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());
const bytes = fc.uint8Array({ maxLength: 20 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Parts of statements that look like placeholders and must stay unchanged. */
const DECOYS = [`'$1 ? :a'`, `'it''s $1'`, `"?"`, '/* $1 ? */', `'a' -- ?\n`];

interface Bound {
  readonly type: string;
  readonly value: unknown;
  readonly captured: CapturedValue;
}

function bindAs(type: string, values: fc.Arbitrary<string | number | boolean>): fc.Arbitrary<Bound> {
  return values.map((value) => ({ type, value, captured: value }));
}

const ofBytes = bytes.map((value) => ({
  type: 'bytea',
  value,
  captured: {
    $type: 'Buffer',
    size: value.length,
    base64: Buffer.from(value).toString('base64'),
  } satisfies CapturedValue,
}));
const ofBigint = int64.map((value) => ({
  type: 'int8',
  value,
  captured: { $type: 'bigint', value: String(value) } satisfies CapturedValue,
}));
const ofNull: fc.Arbitrary<Bound> = fc.constant({ type: 'text', value: null, captured: null });
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

describe('runnable SQL of SQLite', () => {
  const database = new DatabaseSync(':memory:');
  const values = fc.oneof(
    bindAs('text', texts),
    bindAs('float8', doubles),
    bindAs('float8', fc.integer()),
    ofBytes,
    ofBigint,
    ofNull,
  );

  it('returns the same values and types as the statement with its parameters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(values, fc.constantFrom(...DECOYS.filter((decoy) => decoy !== '"?"'))), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.constantFrom('?', '?N', ':p', '@p', '$p'),
        (given, form) => {
          const columns = given.map(([, decoy], index) => {
            const placeholder = form === '?' ? '?' : form.replace(/N|$/, `${index + 1}`);
            return `${placeholder} as v${index}${form === '?' ? '' : `, typeof(${placeholder}) as t${index}`}, ${decoy.startsWith('/*') ? `${decoy} 1` : decoy} as d${index}`;
          });
          const sql = `select ${columns.join(', ')}`;
          const statement = database.prepare(sql);
          statement.setReadBigInts(true);
          const isNamed = /^[:@$]/.test(form);
          const bind = given.map(([{ value }]) => value) as (string | number | bigint | Uint8Array | null)[];
          const names = given.map((_, index) => `${form.slice(0, 2)}${index + 1}`);
          const expected = isNamed
            ? statement.get(Object.fromEntries(names.map((name, index) => [name, bind[index] ?? null])))
            : statement.get(...bind);
          const captured = given.map(([one]) => one.captured);
          const runnable = writeRunnableSql({
            sql,
            dialect: 'sqlite',
            driver: 'node:sqlite',
            parameters: isNamed
              ? [Object.fromEntries(names.map((name, index) => [name, captured[index] ?? null]))]
              : captured,
          });
          const written = database.prepare(runnable);
          written.setReadBigInts(true);
          expect(written.get()).toEqual(expected);
        },
      ),
      { numRuns: repetitions({ usually: 300, thoroughly: 5000 }) },
    );
  });
});

describe('runnable SQL of PostgreSQL', () => {
  let database: PGlite;
  beforeAll(async () => {
    database = await PGlite.create();
  });
  afterAll(() => database.close());

  const json = fc.dictionary(
    texts.filter((key) => key !== '$type'),
    fc.oneof(texts, fc.integer(), fc.constant(null), fc.array(texts, { maxLength: 3 })),
    { maxKeys: 3 },
  );
  const date = fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((value) => ({
      type: 'timestamptz',
      value,
      captured: { $type: 'Date', value: value.toISOString() } satisfies CapturedValue,
    }));
  const values: fc.Arbitrary<Bound> = fc.oneof(
    bindAs('text', texts),
    bindAs('int4', fc.integer()),
    bindAs('float8', doubles),
    bindAs('bool', fc.boolean()),
    ofBytes,
    ofBigint,
    ofNull,
    date,
    json.map((value) => ({ type: 'jsonb', value, captured: value })),
    fc.array(fc.option(texts), { maxLength: 4 }).map((value) => ({ type: 'text[]', value, captured: value })),
    fc.array(fc.integer(), { maxLength: 4 }).map((value) => ({ type: 'int4[]', value, captured: value })),
  );

  it('returns the same values as the statement with its parameters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(values, fc.constantFrom(...DECOYS)), { minLength: 1, maxLength: 6 }),
        async (given) => {
          const columns = given.map(([{ type }, decoy], index) => {
            const shown = decoy.startsWith('/*') ? `${decoy} 1` : decoy === '"?"' ? '1 as "?"' : decoy;
            return `$${index + 1}::${type} as v${index}, ${shown}`;
          });
          const sql = `select ${columns.join(', ')}, $tag$ $1 $tag$, '{"a":1}'::jsonb ? 'a'`;
          const parameters = given.map(([{ captured }]) => captured);
          const runnable = writeRunnableSql({ sql, dialect: 'postgresql', driver: 'pg', parameters });
          const options = { rowMode: 'array' } as const;
          const expected = await database.query(
            sql,
            given.map(([{ value }]) => value),
            options,
          );
          expect((await database.query(runnable, [], options)).rows).toEqual(expected.rows);
        },
      ),
      { numRuns: repetitions({ usually: 150, thoroughly: 2000 }) },
    );
  });
});
