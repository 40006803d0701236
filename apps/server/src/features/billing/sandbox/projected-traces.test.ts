import { expect, it } from 'vitest';
import { projectTraces } from './projected-traces.ts';

/** A month of 30 days that starts on the 31st, as for plans that began on a 31st. */
const month = { start: new Date('2026-08-31T09:00:00Z'), end: new Date('2026-09-30T09:00:00Z') };
const at = (traces: number, now: string) => projectTraces({ traces, month }, new Date(now));

it.each([
  ['as many each day', 1000, '2026-09-10T09:00:00Z', 3000],
  ['half of it over', 1000, '2026-09-15T09:00:00Z', 2000],
  ['none sent yet', 0, '2026-09-15T09:00:00Z', 0],
  ['nearly over', 2999, '2026-09-30T08:59:59Z', 2999],
  ['no whole number', 10, '2026-09-07T09:00:00Z', 43],
])('the usage of a month is projected linearly: %s', (_what, traces, now, projected) => {
  expect(at(traces, now)).toBe(projected);
});

it.each([
  ['on its first day', '2026-09-01T08:59:59Z'],
  ['before it began: another server wrote its start', '2026-08-31T08:59:00Z'],
  ['when it is over', '2026-09-30T09:00:00Z'],
])('the usage of a month is not projected %s', (_what, now) => {
  expect(at(500, now)).toBeNull();
});

it('the usage of a month is projected from its second day on', () => {
  expect(at(100, '2026-09-01T09:00:00Z')).toBe(3000);
});
