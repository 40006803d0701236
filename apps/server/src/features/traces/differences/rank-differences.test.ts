import { expect, test } from 'vitest';
import { rankDifferences } from './rank-differences.ts';

const value = (name: string, matching: number, others: number) =>
  ({ field: 'method', value: name, matching, others }) as const;

test('a value that all requests of a sample have is no difference, even if the sample is smaller than expected', () => {
  // The sample of the other requests has 9,740 requests, although 10,000 were expected (1 % of a million).
  const ranked = rankDifferences([value('GET', 10_000, 9_740)], { matching: 10_000, others: 9_740 }, Number);
  expect(ranked).toEqual([]);
});

test('the count of a value is estimated from its requests in the sample', () => {
  const size = { matching: 1_000, others: 1_000 };
  const [first, ...more] = rankDifferences([value('POST', 900, 100)], size, (found) => found * 50);
  expect(first).toMatchObject({ value: 'POST', count: 45_000, inside: 0.9, outside: 0.1 });
  expect(more).toEqual([]);
});
