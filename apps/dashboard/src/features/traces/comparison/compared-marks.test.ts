import { expect, test } from 'vitest';
import { aComparedCall } from './compared-call.fixture.ts';
import { describeRow, formatChange, isSlower, listMarks } from './compared-marks.ts';
import { listComparedRows } from './compared-rows.ts';

const THROWN = { here: 'failed', other: 'failed' } as const;
const listRows = (...steps: Parameters<typeof listComparedRows>[0]) => listComparedRows(steps);
const onlyHere = { other: null, otherDuration: null };
const onlyThere = { step: null, duration: null };

test.each([
  ['twice as long and 20 ms longer', 40, 20, true],
  ['less than twice as long', 39.9, 20, false],
  ['less than 20 ms longer', 20, 0.5, false],
  ['only in this request', 40, null, false],
  ['only in the other request', null, 20, false],
])('a call counts as slower if it took twice as long and 20 ms longer: %s', (_, ms, otherMs, slower) => {
  expect(isSlower({ ms, otherMs })).toBe(slower);
});

test.each([
  [40, 20, '+20 ms'],
  [20, 40, '−20 ms'],
  [20, 20, '0 ms'],
  [20, null, ''],
  [null, 20, ''],
])('the change from %s to %s ms in the other request is written as %s', (ms, otherMs, text) => {
  expect(formatChange({ ms, otherMs })).toBe(text);
});

test('the description of a row contains "slower" if the call was slower than in the other request', () => {
  const [row] = listRows(aComparedCall('load', { duration: 500, otherDuration: 12 }));
  expect(row && describeRow(row, THROWN)).toBe('load, slower, 500 ms here, 12 ms in the other request');
  const [equal] = listRows(aComparedCall('load', { duration: 12, otherDuration: 12 }));
  expect(equal && describeRow(equal, THROWN)).not.toContain('slower');
});

test('additional calls of a function that both requests called are marked as repeated, with the numbers of calls in both requests', () => {
  const times = { calls: 60, otherCalls: 3 };
  const more = Array.from({ length: 57 }, (_, at) => aComparedCall(`query${at}`, { ...onlyHere, ...times }));
  const [row, ...others] = listRows(...more);
  expect(others).toEqual([]);
  expect(row && listMarks(row).map(({ text }) => text)).toEqual(['repeated: called 60 times instead of 3']);
  expect(row && describeRow(row, THROWN)).toContain('57 calls, repeated: called 60 times instead of 3');
});

test('if this request called a function less often than the other request, the missing calls are marked with the numbers of calls in both requests', () => {
  const [row] = listRows(aComparedCall('query', { ...onlyThere, calls: 1, otherCalls: 2 }));
  expect(row && listMarks(row).map(({ text }) => text)).toEqual(['called 1 time instead of 2']);
});

test('a call of a function that only one of the requests called is marked with that request', () => {
  const rows = listRows(
    aComparedCall('here', { ...onlyHere, otherCalls: 0 }),
    aComparedCall('there', { ...onlyThere, calls: 0 }),
  );
  expect(rows.flatMap(listMarks).map(({ text }) => text)).toEqual([
    'only in this request',
    'only in the other request',
  ]);
});
