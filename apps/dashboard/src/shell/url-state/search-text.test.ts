import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './search-text.ts';

it.each([
  ['?q=12', { q: '12' }],
  ['?q=true&method=GET', { q: 'true', method: 'GET' }],
  ['?q=%7B%22a%22%3A1%7D', { q: '{"a":1}' }],
  ['?q=a+b%2Fc', { q: 'a b/c' }],
  ['', {}],
  ['?', {}],
  ['?q=%E0%A4%A', { q: '\u{FFFD}%A' }],
])('the query string %s is parsed to strings', (text, search) => {
  expect(parseSearch(text)).toEqual(search);
});

it('parameters that are not set are omitted', () => {
  expect(stringifySearch({ q: undefined, status: 'error', method: '' })).toBe('?status=error');
  expect(stringifySearch({ q: undefined })).toBe('');
});

it('any written string is parsed unchanged', () => {
  const name = fc.string({ minLength: 1 });
  const value = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(fc.dictionary(name, value), (search) => {
      expect(parseSearch(stringifySearch(search))).toEqual({ ...search });
    }),
  );
});
