import { storesOfFile } from '@throughline/testkit/stores';
import fc from 'fast-check';
import { v4 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withLiterals } from './literals.ts';

const stores = storesOfFile();

describe('parameters as literals', () => {
  test('are what bound parameters are, whatever stands in them', async () => {
    const some = fc.sample(
      fc.record({
        text: fc.string({ unit: 'grapheme' }),
        texts: fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
        id: fc.uuid(),
        ids: fc.array(fc.uuid(), { maxLength: 3 }),
        small: fc.nat(255),
        large: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
        negative: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
        numbers: fc.array(fc.nat(), { maxLength: 3 }),
        day: fc.constantFrom('1970-01-02', '2026-11-22'),
      }),
      20,
    );
    const nasty = `'; DROP TABLE steps; -- \\ \t\n\0 😀 {id:UUID} ')`;
    const columns = [
      ...['{text:String}', '{texts:Array(String)}', '{id:UUID}', '{ids:Array(UUID)}', '{small:UInt8}'],
      ...['{large:UInt64}', '{negative:Int64}', '{numbers:Array(UInt32)}', '{day:Date}'],
    ];
    const sql = `SELECT toJSONString(tuple(${columns.join(', ')})) AS json, toTypeName(tuple(${columns.join(', ')})) AS type`;
    const row = z.object({ json: z.string(), type: z.string() });
    for (const params of [
      ...some,
      ...some.slice(0, 1).map((one) => ({ ...one, text: nasty, texts: [nasty] })),
    ]) {
      const bound = await stores.traces.rows(row, sql, params);
      expect(await stores.traces.rows(row, withLiterals(sql, params) ?? '')).toEqual(bound);
    }
  });

  test.each([
    ['an id that is none', '{a:UUID}', "x'"],
    ['an id with more behind it', '{a:UUID}', `${v4()}' OR 1`],
    ['a number that is none', '{a:UInt32}', '1 OR 1'],
    ['a number in a list', '{a:Array(UInt32)}', ['1', '2)']],
    ['a day that is none', '{a:Date}', "2026-01-01'"],
    ['a text in place of a list', '{a:Array(String)}', 'x'],
    ['what is missing', '{b:String}', 'x'],
  ])('refuse %s', (_what, sql, a) => {
    expect(() => withLiterals(`SELECT ${sql}`, { a })).toThrow(/the parameter [ab] /);
  });

  test('are none where the statement would be too long, or for other types', () => {
    expect(withLiterals('SELECT {id:UUID}, {a:Float64}', { id: v4(), a: 1 })).toBeUndefined();
    const ids = Array.from({ length: 10_000 }, () => v4());
    expect(withLiterals('SELECT {ids:Array(UUID)}', { ids })).toBeUndefined();
  });
});

test('a long command holds up neither readers nor other commands', async () => {
  const ended: string[] = [];
  const note = (what: string) => () => void ended.push(what);
  const long = 'SELECT count() FROM numbers({n:UInt64}) WHERE NOT ignore(sleepEachRow(0.25))';
  const beside = stores.traces.commandBeside(long, { n: 8 }).then(note('long'));
  const read = () => stores.traces.rows(z.object({ n: z.number() }), 'SELECT {n:UInt32} AS n', { n: 1 });
  await read().then(note('reading'));
  await stores.traces
    .command('DELETE FROM ingest_batches WHERE project_id = {id:UUID} AND answer = {answer:String}', {
      id: v4(),
      answer: "it's",
    })
    .then(note('command'));
  await read().then(note('reading'));
  await beside;
  expect(ended).toEqual(['reading', 'command', 'reading', 'long']);
});
