import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { v4 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withParameters } from './parameters.ts';

const stores = storesOfFile();

/** A query that returns its parameters. */
const COLUMNS = [
  ...[
    '{text:String} AS text',
    '{texts:Array(String)} AS texts',
    '{id:UUID} AS id',
    '{ids:Array(UUID)} AS ids',
  ],
  ...[
    '{small:UInt8} AS small',
    'toString({large:UInt64}) AS large',
    'toString({negative:Int64}) AS negative',
  ],
  ...['{numbers:Array(UInt32)} AS numbers', '{day:Date} AS day', '{share:Float64} AS share'],
];
const NASTY = `'; DROP TABLE steps; -- \\ \\' \\N \t\n\r\0\b\f 😀 {id:UUID} ')`;

describe('query parameters', () => {
  test('arrive unchanged, whatever they contain', async () => {
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
        share: fc.double({ noNaN: true, noDefaultInfinity: true }).map((share) => share + 0),
      }),
      20,
    );
    const nasty = some.slice(0, 1).map((one) => ({ ...one, text: NASTY, texts: [NASTY, NASTY] }));
    for (const given of [...some, ...nasty]) {
      const [found] = await stores.traces.rows(z.unknown(), `SELECT ${COLUMNS.join(', ')}`, given);
      expect(found).toEqual(given);
    }
  });

  test('of concurrent queries are never mixed up', async () => {
    const asked = Array.from({ length: 100 }, (_query, n) => n);
    const answers = asked.map(async (n) => {
      const row = z.object({ n: z.number(), text: z.string() });
      const [found] = await stores.traces.rows(row, 'SELECT {n:UInt32} AS n, {text:String} AS text', {
        n,
        text: `${n}`,
      });
      return found;
    });
    expect(await Promise.all(answers)).toEqual(asked.map((n) => ({ n, text: `${n}` })));
    expect(() => withParameters('SELECT {n:UInt32}', { text: '1' })).toThrow('parameter n is missing');
  });

  test.each([
    ['an id that is none', '{a:UUID}', "x'"],
    ['an id with more behind it', '{a:UUID}', `${v4()}' OR 1`],
    ['a number that is none', '{a:UInt32}', '1 OR 1'],
    ['a number in a list', '{a:Array(UInt32)}', ['1', '2)']],
    ['a day that is none', '{a:Date}', "2026-01-01'"],
    ['a text in place of a list', '{a:Array(String)}', 'x'],
  ])('are rejected: %s', async (_what, sql, a) => {
    await expect(stores.traces.lines(`SELECT toString(${sql})`, { a })).rejects.toThrow();
  });
});

describe('a slow statement on the trace store', () => {
  const LONG = 'SELECT count() FROM numbers({n:UInt64}) WHERE NOT ignore(sleepEachRow(0.25))';

  test.runIf(isThorough())('blocks neither reads nor other commands', async () => {
    const ended: string[] = [];
    const note = (what: string) => () => void ended.push(what);
    const beside = stores.traces.commandBeside(LONG, { n: 8 }).then(note('long'));
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

  test.runIf(isThorough())('blocks no other reads if the statement is a read itself', async () => {
    const ended: string[] = [];
    const long = stores.traces.lines(LONG, { n: 8 }).then(() => ended.push('long'));
    await stores.traces.lines('SELECT {n:UInt32}', { n: 1 }).then(() => ended.push('short'));
    await long;
    expect(ended).toEqual(['short', 'long']);
  });

  test('with thousands of ids does not block the lookups of a small write', async () => {
    const ended: string[] = [];
    const ids = Array.from({ length: 2000 }, () => `'${v4()}'`).join();
    const row = z.unknown();
    const long = stores.traces
      .rowsForWriter(row, `SELECT sleep(1.5) AS slept WHERE '${v4()}' NOT IN (${ids})`)
      .then(() => ended.push('long'));
    await stores.traces
      .rowsForWriter(row, 'SELECT {n:UInt32} AS n', { n: 1 })
      .then(() => ended.push('short'));
    await long;
    expect(ended).toEqual(['short', 'long']);
  });
});
