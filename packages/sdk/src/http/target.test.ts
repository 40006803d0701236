import { expect, test } from 'vitest';
import { parseTarget } from './target.ts';

test.each([
  ['/orders/17?a=1', 'shop.test', false, '/orders/17', 'a=1', 'http://shop.test/orders/17?a=1'],
  ['/', 'shop.test:8443', true, '/', '', 'https://shop.test:8443/'],
  ['/?', undefined, false, '/', '', 'http://localhost/?'],
  ['http://other.test/x?q=ü', 'shop.test', false, '/x', 'q=ü', 'http://other.test/x?q=ü'],
  ['http://other.test', 'shop.test', false, '/', '', 'http://other.test/'],
  ['//double//slash', 'shop.test', false, '//double//slash', '', 'http://shop.test//double//slash'],
  ['*', 'shop.test', false, '*', '', '*'],
  ['/a?b?c=d', 'h', false, '/a', 'b?c=d', 'http://h/a?b?c=d'],
])('the request target %s is parsed', (target, host, secure, path, query, url) => {
  expect(parseTarget(target, host, secure)).toEqual({ path, query, url });
});
