import { expect, test } from 'vitest';
import { findRowFilter } from './row-filter.ts';

const SCOPE = { project: 'p', service: 'shop', from: '2026-11-30T00:00:00Z' };

test.each([
  [{ ...SCOPE, user: 'ann lee' }, 'user:"ann lee"', SCOPE],
  [{ ...SCOPE, stepName: 'charge', stepType: 'function' as const }, 'step:charge', SCOPE],
  [{ ...SCOPE, method: 'POST', endpoint: '/orders/:id' }, 'endpoint:/orders/:id', SCOPE],
  [
    { ...SCOPE, feature: 'orders', status: 'error' as const },
    'feature:orders',
    { ...SCOPE, status: 'error' },
  ],
  [SCOPE, 'service:shop', { project: 'p', from: SCOPE.from }],
])('the row of the search %o is selected by the term %s', (search, term, others) => {
  expect(findRowFilter(search)).toMatchObject({ term });
  expect(JSON.parse(JSON.stringify(findRowFilter(search)?.others))).toEqual(others);
});

test.each([{ dependency: 'redis' }, { stepName: '' }])(
  'a row of %o has no filter, because no term selects its traces',
  (row) => {
    expect(findRowFilter({ ...SCOPE, ...row })).toBeUndefined();
  },
);
