import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { judgeDifference } from './judge-difference.ts';

type Side = CapturedValue | undefined;
const UNDEFINED = { $type: 'undefined' } as const;
const NOT_A_NUMBER = { $type: 'number', value: 'NaN' } as const;

test.each<[string, Side, readonly Side[], string]>([
  ['undefined among objects', UNDEFINED, [{ rate: 1 }], 'unusual'],
  ['a missing member', undefined, [1, 2], 'unusual'],
  ['NaN among numbers', NOT_A_NUMBER, [1, 2, 3], 'unusual'],
  ['an empty list among lists with items', [], [[1], [2]], 'unusual'],
  ['a string among numbers', '5', [5, 6], 'unusual'],
  ['a negative number among positive ones', -5, [3, 8], 'outlier'],
  ['a number a hundred times the largest', 4_000, [40, 12], 'outlier'],
  ['a number with more decimals than any other', 59.97000000000001, [10.5, 20], 'outlier'],
  ['a string with white space at the end', 'GB ', ['GB', 'US'], 'unusual'],
  ['capital letters among texts of small letters', 'Eva', ['ida', 'max', 'zoe'], 'unlike'],
  ['capital letters among texts of which one has them, too', 'Eva', ['ida', 'max', 'Zoe'], 'ordinary'],
  ['capital letters among fewer than three distinct texts', 'Eva', ['ida', 'max', 'max'], 'ordinary'],
  ['a value that differs from three equal ones', 'EUR', ['USD', 'USD', 'USD'], 'unseen'],
  ['a value that differs from two equal ones', 'EUR', ['USD', 'USD'], 'different'],
  ['a value that another success had, too', 'GB', ['US', 'GB'], 'ordinary'],
  ['a value among values that all differ', 'DE', ['US', 'GB'], 'ordinary'],
  ['a time compared with one other time', '2026-01-01T10:00:00Z', ['2026-01-01T09:00:00Z'], 'ordinary'],
  ['an id compared with one other id', 'ord_8f3a2b1c9d0e', ['ord_11aa22bb33cc'], 'ordinary'],
])('%s: the value %j compared with the usual values %j is judged as %s', (_, value, goods, judgement) => {
  expect(judgeDifference(value, goods)).toBe(judgement);
});
