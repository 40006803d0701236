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
    ['/orders/*', 'GET', '/orders/17/', 0.5],
    ['/orders/*', 'GET', '/orders/', undefined],
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

  it('is the rate of the first matching rule', () => {
    const read = rules({ '/api/health': 0, '/api/**': 0.5, '/**': 1 });
    expect(['/api/health', '/api/x', '/y'].map((path) => findRate(read, 'GET', path))).toEqual([0, 0.5, 1]);
  });

  it('is the same if the rules are written as a string', () => {
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
  ])('cannot be read from the invalid rules %j', (value) => {
    expect(readRouteRates(value)).toBeUndefined();
  });

  it('is, for random rules and paths, the rate of the first rule that matches the path segment by segment', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', 'a.b', 'c');
    const rule = fc.record({
      method: fc.constantFrom('', 'GET ', 'post '),
      segments: fc.array(fc.oneof(segment, fc.constantFrom(':id', '*', 'a*', '*b', 'a*b', '*.b')), {
        minLength: 1,
        maxLength: 3,
      }),
      below: fc.boolean(),
    });
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST'),
      segments: fc.array(segment, { minLength: 1, maxLength: 4 }),
      slash: fc.constantFrom('', '/'),
    });
    const matches = (pattern: string, text: string): boolean => {
      if (pattern.startsWith(':')) return true;
      if (pattern === '') return text === '';
      // A star stands for any number of characters.
      if (pattern[0] === '*')
        return matches(pattern.slice(1), text) || (text !== '' && matches(pattern, text.slice(1)));
      return pattern[0] === text[0] && matches(pattern.slice(1), text.slice(1));
    };
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), fc.array(request, { minLength: 1 }), (all, requests) => {
        // A rule that is written twice counts once: at the position of its first occurrence, with the rate of its last occurrence.
        const written = new Map(
          all.map((one, index) => [
            `${one.method}/${[...one.segments, ...(one.below ? ['**'] : [])].join('/')}`,
            { ...one, rate: index / 4 },
          ]),
        );
        const read = rules(Object.fromEntries([...written].map(([route, { rate }]) => [route, rate])));
        for (const { method, segments, slash } of requests) {
          const first = [...written.values()].find(
            (one) =>
              (one.method === '' || one.method.trim().toUpperCase() === method) &&
              (one.below
                ? segments.length >= one.segments.length
                : segments.length === one.segments.length) &&
              one.segments.every((pattern, at) => matches(pattern, segments[at] ?? '')),
          );
          expect(findRate(read, method, `/${segments.join('/')}${slash}`)).toBe(first?.rate);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is found quickly even for a path of 100,000 characters, and invalid rules never cause an exception', () => {
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
