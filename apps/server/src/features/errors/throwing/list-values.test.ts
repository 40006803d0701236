import type { CapturedValue } from '@throughline/contract';
import { describe, expect, test } from 'vitest';
import { listValues } from './list-values.ts';

const list = (value: CapturedValue) =>
  listValues({ inputs: value }).values.map(({ path, text }) => [path.join('.'), text]);

describe('the values of a call', () => {
  test('are listed by their path, and values with members by their type', () => {
    expect(
      list({ order: { country: 'UK', items: [{ price: 3 }], note: { $type: 'undefined' }, tags: [] } }),
    ).toEqual([
      ['order', '{…}'],
      ['order.country', '"UK"'],
      ['order.items', '[…]'],
      ['order.note', 'undefined'],
      ['order.tags', '[]'],
      ['order.items.0', '{…}'],
      ['order.items.0.price', '3'],
    ]);
  });

  test.each<[string, CapturedValue]>([
    ['redacted', { $type: 'redacted', of: 'string' }],
    ['redacted in part', 'Bearer ‹redacted›'],
    [
      'redacted in the part of a cut text that is left',
      { $type: 'string', value: 'k=‹redacted›', length: 900 },
    ],
    ['cut', { $type: 'cut', of: 'object', reason: 'depth' }],
    ['a getter', { $type: 'accessor' }],
    ['a reference to what was not stored', { $type: 'reference', path: ['inputs', 'x'], step: 'gone' }],
  ])('do not include a value that is %s, since it cannot be compared', (_, value) => {
    expect(list({ token: value, country: 'UK' })).toEqual([['country', '"UK"']]);
    expect(listValues({ inputs: { a: { token: value } } }).lacks('inputs', ['a', 'token'])).toBe(false);
  });

  test('do not include a Map entry whose key is redacted', () => {
    const map: CapturedValue = {
      $type: 'Map',
      size: 2,
      entries: [
        [{ $type: 'redacted', of: 'string' }, 1],
        ['GB', 2],
      ],
    };
    expect(list({ rates: map })).toEqual([
      ['rates', 'Map {…}'],
      ['rates.GB', '2'],
    ]);
  });

  test('are limited to 500 values, six levels and the first five items of a list', () => {
    let deep: CapturedValue = 'end';
    for (let level = 0; level < 50; level += 1) deep = { next: deep };
    expect(list({ deep })).toHaveLength(5);
    expect(list({ many: Array.from({ length: 1000 }, (_, at) => at) })).toHaveLength(6);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, at]));
    expect(list(wide)).toHaveLength(500);
  });

  test('are compared by beginning and length if they are long strings', () => {
    const key = (text: string) => listValues({ inputs: { text } }).values[0]?.key;
    expect(key('x'.repeat(5000))).toBe(key('x'.repeat(5000)));
    expect(key('x'.repeat(5000))).not.toBe(key('x'.repeat(5001)));
    expect(key('1')).not.toBe(listValues({ inputs: { text: 1 } }).values[0]?.key);
  });

  test('are known to lack a member only if the object around it was captured completely', () => {
    const { lacks } = listValues({
      inputs: {
        order: { total: 1 },
        cut: { $type: 'object', size: 9, properties: { total: 1 } },
        items: [1],
      },
    });
    expect(lacks('inputs', ['order', 'country'])).toBe(true);
    expect(lacks('inputs', ['order', 'total'])).toBe(false);
    expect(lacks('inputs', ['cut', 'country'])).toBe(false);
    expect(lacks('inputs', ['items', 3])).toBe(false);
    expect(lacks('localVariables', ['order', 'country'])).toBe(false);
  });
});
