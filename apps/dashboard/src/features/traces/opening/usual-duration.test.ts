import { expect, test } from 'vitest';
import { describeRank } from './usual-duration.tsx';

test('a request’s rank is the share of other requests that were faster, and is never shown as 0 %', () => {
  expect(describeRank({ quicker: 0, requests: 40 })).toBe('none faster');
  expect(describeRank({ quicker: 1, requests: 1200 })).toBe('slower than 1 of 1,200');
  expect(describeRank({ quicker: 12, requests: 1200 })).toBe('slower than 1 %');
  expect(describeRank({ quicker: 399, requests: 400 })).toBe('slower than 99 %');
  expect(describeRank({ quicker: 400, requests: 400 })).toBe('slower than 100 %');
});
