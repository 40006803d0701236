import { expect, it } from 'vitest';
import { listFollowableValues } from './followable-values.ts';

const listNames = (...parts: Parameters<typeof listFollowableValues>[0]) =>
  listFollowableValues(parts).map(({ place, name, text }) => `${place} ${name} ${text}`);

it('the texts, numbers and dates in the values of a call are offered to be followed, each with its path', () => {
  expect(
    listNames(
      {
        place: 'parameters',
        value: {
          order: { customer: { id: 'u-71b2' }, total: 19.5, at: { $type: 'Date', value: '2026-01-01' } },
        },
      },
      { place: 'returnValue', value: 4711 },
    ),
  ).toEqual([
    'parameters order.customer.id "u-71b2"',
    'parameters order.total 19.5',
    expect.stringContaining('parameters order.at '),
    'returnValue return value 4711',
  ]);
});

it('values that are redacted, missing or too short to be recognized are not offered', () => {
  const values = [
    true,
    null,
    7,
    'x',
    '  ',
    { $type: 'redacted', of: 'string' },
    { $type: 'undefined' },
  ] as const;
  expect(listNames({ place: 'inputs', value: { values: [...values] } })).toEqual([]);
  expect(listNames({ place: 'inputs', value: undefined })).toEqual([]);
});

it('a value that a call has twice under the same name is offered once, and at most 12 values are offered', () => {
  const country = { country: 'GB' };
  expect(listNames({ place: 'parameters', value: country }, { place: 'inputs', value: country })).toEqual([
    'parameters country "GB"',
  ]);
  const many = Array.from({ length: 40 }, (_, at) => `item-${at}`);
  expect(listNames({ place: 'inputs', value: many })).toHaveLength(12);
});
