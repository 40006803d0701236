import type { ErrorGroup } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findErrorFilter } from './search.ts';

const RANGE = { kind: 'last', last: '7d' } as const;
const ID = 'a'.repeat(32);
const FIRST = 'b'.repeat(32);
// An error with only the fields that `findErrorFilter` reads.
const error = (changed: Partial<ErrorGroup>) =>
  ({
    id: ID,
    requestIds: [ID],
    splitFrom: null,
    service: 'shop',
    message: 'no rate for order …',
    ...changed,
  }) as ErrorGroup;

test("the filter term of an error is the error's message, and the list is limited to the error's service", () => {
  const { of, search } = findErrorFilter('p', error({}), RANGE);
  expect(of).toEqual({ value: 'no rate for order …', term: 'errorGroup:"no rate for order …"' });
  expect(search).toEqual({ last: '7d', project: 'p', status: 'error', service: 'shop' });
});

test.each([
  ['a merged error', { requestIds: [ID, FIRST] }, `${ID},${FIRST}`],
  ['an error of one function', { splitFrom: FIRST }, ID],
])('the filter term of %s has error ids and limits the list to no service', (_, changed, ids) => {
  const { of, search } = findErrorFilter('p', error(changed), RANGE);
  expect(of.term).toBe(`errorId:${ids}`);
  expect(search).toEqual({ last: '7d', project: 'p', status: 'error' });
});
