import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findRate, readRouteRates } from './route-rates.ts';

const rules = (value: unknown) => readRouteRates(value) ?? [];

describe('the rate of a route', () => {
  test.each<[string, string, string, number | undefined]>([
    ['/health', 'GET', '/health', 0.5],
    ['/health', 'POST', '/health/', 0.5],
    ['/health', 'GET', '/healthy', undefined],
    ['/health', 'GET', '/health/deep', undefined],
    ['GET /health', 'GET', '/health', 0.5],
    ['get /health', 'GET', '/health', 0.5],
    ['GET /health', 'POST', '/health', undefined],
    ['/orders/:id', 'GET', '/orders/17', 0.5],
    ['/orders/:id', 'GET', '/orders', undefined],
    ['/orders/:id', 'GET', '/orders/17/items', undefined],
    ['/orders/*/items', 'GET', '/orders/17/items', 0.5],
    ['/files/*.png', 'GET', '/files/a.png', 0.5],
    ['/files/*.png', 'GET', '/files/axpng', undefined],
    ['/api/**', 'GET', '/api', 0.5],
    ['/api/**', 'GET', '/api/a/b/c', 0.5],
    ['/api/**', 'GET', '/apis', undefined],
    ['/**', 'GET', '/', 0.5],
    ['/', 'GET', '/', 0.5],
    ['/', 'GET', '/a', undefined],
    ['/größe/(x)', 'GET', '/größe/(x)', 0.5],
  ])('by the rule %s for %s %s is %j', (route, method, path, rate) => {
    expect(findRate(rules({ [route]: 0.5 }), method, path)).toBe(rate);
  });

  it('is that of the first matching rule', () => {
    const read = rules({ '/api/health': 0, '/api/**': 0.5, '/**': 1 });
    expect(['/api/health', '/api/x', '/y'].map((path) => findRate(read, 'GET', path))).toEqual([0, 0.5, 1]);
  });

  it('is the same if the rules are a string', () => {
    expect(rules(' GET /health = 0 ,/a=b=0.5,, /orders/:id=1')).toEqual(
      rules({ 'GET /health': 0, '/a=b': '0.5', '/orders/:id': 1 }),
    );
  });

  test.each([
    7,
    [],
    ['/a'],
    { '/a': 2 },
    { '/a': 'often' },
    { '/a': Number.NaN },
    { a: 1 },
    '/a',
    'a=1',
    { '/a b': 1 },
  ])('is rejected if the rules are %j', (value) => {
    expect(readRouteRates(value)).toBeUndefined();
  });

  it('is found in bounded time, and invalid rules never throw', () => {
    const hostile = rules({ '/*a/*b/*c/**': 0 });
    expect(findRate(hostile, 'GET', `/${'a'.repeat(100_000)}`)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.double())),
        fc.string(),
        (value, path) => {
          const rate = findRate(rules(value), 'GET', path);
          expect(rate === undefined || (rate >= 0 && rate <= 1)).toBe(true);
        },
      ),
    );
  });
});
