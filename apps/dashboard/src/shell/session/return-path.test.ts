import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readReturnPath } from './return-path.ts';

it.each([
  ['/projects', '/projects'],
  ['/dashboard?trace=1&q=%2Forders', '/dashboard?trace=1&q=%2Forders'],
  ['/nowhere#x', '/nowhere#x'],
])('the return path %s is accepted', (text, path) => {
  expect(readReturnPath(text)).toBe(path);
});

it.each([
  undefined,
  '',
  'projects',
  '//evil.example/x',
  '/\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/',
  '/login',
  '/register?type=solo',
])('the return path %j is rejected', (text) => {
  expect(readReturnPath(text)).toBeUndefined();
});

it('no return path leads to another site', () => {
  const site = 'https://throughline.example';
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (tail) => {
      const path = readReturnPath(`/${tail}`);
      if (path !== undefined) expect(new URL(path, site).origin).toBe(site);
    }),
  );
});
