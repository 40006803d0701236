import { parseTraceQuery } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findValueTerm } from './value-term.ts';

const ORDER = {
  order: {
    totalCents: 129,
    city: 'New York',
    zip: '10115',
    paid: true,
    note: null,
    items: [{ price: 5 }, 7],
  },
  'odd name': 1,
  'a.b': 2,
  scores: { $type: 'Map', size: 1, entries: [['ann', 3]] },
};

test.each([
  ['/0/0', 'value:charge.order.totalCents=129'],
  ['/0/1', String.raw`value:"charge.order.city=\"New York\""`],
  ['/0/2', 'value:charge.order.zip="10115"'],
  ['/0/3', 'value:charge.order.paid=true'],
  ['/0/4', 'value:charge.order.note=null'],
  ['/0/5/0/0', 'value:charge.order.items.price=5'],
])('the value of the row %s is found by the term %s', (key, term) => {
  expect(findValueTerm(['charge'], 'inputs', ORDER, key)).toBe(term);
  expect(parseTraceQuery(`${term} -${term}`).problem).toBeUndefined();
});

test.each([
  ['an object', '/0'],
  ['an element that is no object', '/0/5/1'],
  ['a name with a space', '/1'],
  ['a name with a dot', '/2'],
  ['an entry of a map', '/3/0'],
])('there is no term for %s', (_what, key) => {
  expect(findValueTerm(['charge'], 'inputs', ORDER, key)).toBeUndefined();
});

test('the filter term of a captured number contains the name of the captured part, such as returnValue', () => {
  expect(findValueTerm(['countRows'], 'returnValue', 4711, '$')).toBe('value:countRows.returnValue=4711');
  expect(findValueTerm(['GET /orders'], 'returnValue', 4711, '$')).toBeUndefined();
});

test('the filter term of a value lacks the name of the function if the filter language cannot express the name', () => {
  expect(findValueTerm(['GET /orders'], 'inputs', ORDER, '/0/0')).toBe('value:order.totalCents=129');
});

test('the filter term of a string has the string as its value, even if the string looks like a part of the filter language', () => {
  for (const text of ['true', '-5', 'a"b\\', '>5', 'user:19 -x', 'é', 'two\nlines']) {
    const term = findValueTerm(['charge'], 'inputs', { text }, '/0') ?? '';
    expect(parseTraceQuery(term).filters?.value, text).toBeDefined();
  }
});
