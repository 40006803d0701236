import { parseValueCondition } from '@throughline/contract';
import { expect, test } from 'vitest';
import { hasValue } from './has-value.ts';

const has = (body: unknown, search: string) => {
  const { condition } = parseValueCondition(search);
  if (condition?.kind !== 'member') throw new Error(`${search} is no search for a member`);
  const row = { id: '', request_query: '', request_body: JSON.stringify(body), response_body: '' };
  return hasValue([], row, condition);
};

test('a text body that is nested 20,000 levels deep is searched', () => {
  const depth = 20_000;
  const body = `${'{"a":'.repeat(depth)}{"level":"gold"}${'}'.repeat(depth)}`;
  expect(has(body, 'a.a.level=gold')).toBe(true);
  expect(has(body, 'a.b.level=gold')).toBe(false);
});

test.each([
  ['body.level=gold', true],
  ['request.body.level=gold', true],
  ['request.level=gold', true],
  ['response.level=gold', false],
  ['query.level=gold', false],
  ['x.request.body.level=gold', false],
  ['x.request.level=gold', false],
])(
  'the names of a path are compared from the innermost outwards, with or without the name of the part: %s',
  (search, found) => {
    expect(has({ level: 'gold' }, search)).toBe(found);
  },
);

test('a captured bigint that is not a whole number is skipped, and the other values are found', () => {
  const body = { count: { $type: 'bigint', value: '12n' }, orders: [{ count: 7 }] };
  expect(has(body, 'count=12')).toBe(false);
  expect(has(body, 'orders.count=7')).toBe(true);
  expect(has({ count: { $type: 'bigint', value: '-12' } }, 'body.count=-12')).toBe(true);
});
