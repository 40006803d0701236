import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { judgeDifference } from './judge-difference.ts';

type Side = CapturedValue | undefined;
const UNDEFINED = { $type: 'undefined' } as const;
const NOT_A_NUMBER = { $type: 'number', value: 'NaN' } as const;

test.each<[string, Side, readonly Side[], string]>([
  ['undefined where others have an object', UNDEFINED, [{ rate: 1 }], 'unusual'],
  ['a missing member', undefined, [1, 2], 'unusual'],
  ['NaN where others have numbers', NOT_A_NUMBER, [1, 2, 3], 'unusual'],
  ['an empty list where others have items', [], [[1], [2]], 'unusual'],
  ['a text where others have a number', '5', [5, 6], 'unusual'],
  ['a negative number where none is', -5, [3, 8], 'outlier'],
  ['a hundred times the largest', 4_000, [40, 12], 'outlier'],
  ['more decimals than any', 59.97000000000001, [10.5, 20], 'outlier'],
  ['white space at the end', 'GB ', ['GB', 'US'], 'unusual'],
  ['another value than three that agree', 'EUR', ['USD', 'USD', 'USD'], 'unseen'],
  ['another value than two that agree', 'EUR', ['USD', 'USD'], 'different'],
  ['one of those that others had', 'GB', ['US', 'GB'], 'ordinary'],
  ['another one where others differ', 'DE', ['US', 'GB'], 'ordinary'],
  ['a time beside one other', '2026-01-01T10:00:00Z', ['2026-01-01T09:00:00Z'], 'ordinary'],
  ['an id beside one other', 'ord_8f3a2b1c9d0e', ['ord_11aa22bb33cc'], 'ordinary'],
])('%s is judged: %j compared with %j is %s', (_, value, goods, judgement) => {
  expect(judgeDifference(value, goods)).toBe(judgement);
});
