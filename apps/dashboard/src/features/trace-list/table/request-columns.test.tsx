import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { COLUMN_OF_FILTER, REQUEST_COLUMNS } from './request-columns.tsx';

it.each([
  ['users', { userId: 'customer-17' }, 'customer-17'],
  ['user', { userId: null }, '–'],
  ['session', { sessionId: 'visit-3' }, 'visit-3'],
  ['country', { country: 'IE' }, 'Ireland'],
  ['instance', { instance: 'web-3' }, 'web-3'],
  ['instance', { instance: '' }, '–'],
] as const)(
  'a list that is filtered by %s has a column with the values of the filter',
  (filter, row, text) => {
    const column = REQUEST_COLUMNS.find(({ id }) => id === COLUMN_OF_FILTER[filter]);
    expect(column).toBeDefined();
    expect(renderToStaticMarkup(column?.cell(row as never, 1))).toContain(text);
  },
);
