import type { CapturedValue } from '@throughline/contract';
import { expect, it } from 'vitest';
import { countTruncated } from './count-truncated.ts';

it.each<[string, CapturedValue, number]>([
  ['complete values', { a: [1, 'x', null], b: { $type: 'Map', size: 1, entries: [['k', 1]] } }, 0],
  ['a value that was not captured', { a: { $type: 'cut', of: 'Socket', reason: 'depth' } }, 1],
  ['a truncated string', { $type: 'string', value: 'abc', length: 900 }, 1],
  [
    'a truncated list with a truncated value',
    { $type: 'array', length: 500, values: [{ $type: 'cut', of: 'object', reason: 'depth' }] },
    2,
  ],
  ['an object with more keys than shown', { $type: 'object', size: 30, properties: { a: 1 } }, 1],
  ['a complete instance', { $type: 'object', class: 'Cart', properties: { a: 1 } }, 0],
])('the truncated parts of %s are counted', (_, value, count) => {
  expect(countTruncated([value, value])).toBe(count * 2);
});
