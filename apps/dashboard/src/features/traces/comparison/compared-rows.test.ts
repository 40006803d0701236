import type { ComparedStep } from '@throughline/contract';
import { expect, it } from 'vitest';
import { aComparedCall as call } from './compared-call.fixture.ts';
import { listComparedRows } from './compared-rows.ts';

const here = (name: string) => call(name, { other: null, otherDuration: null });
const lines = (steps: readonly ComparedStep[]) =>
  listComparedRows(steps).map(({ key, count, ms, otherMs }) => [key, count, ms, otherMs]);

it('repeated calls that only one of the requests made are shown as one line with their total time', () => {
  expect(lines([call('query1'), here('query2'), here('query3'), here('query4')])).toEqual([
    ['query1', 1, 2, 3],
    ['query2', 3, 6, null],
  ]);
});

it('two equal calls are listed one by one', () => {
  expect(lines([here('query1'), here('query2')])).toHaveLength(2);
});

it('a repeated call with an unusual value, or with calls below it, has a separate line', () => {
  const odd = call('query2', { unusual: 1 });
  expect(lines([call('query1'), odd, call('query3'), call('query4')])).toHaveLength(4);
  const below = call('inner1', { depth: 2 });
  expect(lines([call('query1'), call('query2'), call('query3'), below])).toHaveLength(4);
});

it('a call that only the other request made refers to the other request’s step', () => {
  expect(lines([call('charge1', { step: null, duration: null })])).toEqual([['other charge1', 1, null, 3]]);
});
