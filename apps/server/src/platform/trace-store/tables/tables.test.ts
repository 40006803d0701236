import { storesOfFile } from '@throughline/testkit/stores';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineColumns } from './columns.ts';
import { SOURCE_COLUMNS } from './sources.ts';
import { SPAN_COLUMNS } from './spans.ts';
import { STEP_COLUMNS } from './steps.ts';
import { TRACE_COLUMNS, TRACES } from './traces.ts';
import { readColumns } from './typed-columns.ts';

const stores = storesOfFile();

test.each([
  ['traces', TRACE_COLUMNS],
  ['steps', STEP_COLUMNS],
  ['spans', SPAN_COLUMNS],
  ['sources', SOURCE_COLUMNS.names],
])(
  'the columns of %s are exactly the columns of the stored table that are not computed from other columns',
  async (table, columns) => {
    const stored = await stores.traces.rows(
      z.object({ name: z.string() }),
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND default_kind IN ('', 'DEFAULT')`,
      { table },
    );
    expect(stored.map(({ name }) => name).sort()).toEqual([...columns].sort());
  },
);

test('the fields of a row are in the order of the columns', () => {
  const columns = defineColumns<{ readonly a: number; readonly b: string }>()({
    second: ({ b }) => b,
    first: ({ a }) => a,
  });
  expect(columns.names).toEqual(['second', 'first']);
  expect(columns.write({ a: 1, b: 'x' })).toBe('x\t1');
});

test('columns are read under their own names, and times as microseconds under another name', () => {
  const { sql, row } = readColumns(TRACES, ['id', 'start_time', 'dropped_steps']);
  expect(sql).toBe('id, toString(toUnixTimestamp64Micro(start_time)) AS start_micros, dropped_steps');
  expect(row.parse({ id: 'a', start_micros: '12', dropped_steps: '3' })).toEqual({
    id: 'a',
    start_micros: 12n,
    dropped_steps: 3,
  });
});
