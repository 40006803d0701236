import { expect, test } from 'vitest';
import { Transform } from './transform.ts';

test('files of 1 MB or more are reported when they are loaded, and others are not', () => {
  const large: string[] = [];
  const transform = new Transform({
    root: '/srv',
    isOwn: () => true,
    runtime: null,
    withMap: () => false,
    onLarge: (file) => large.push(file),
    report: () => {},
  });
  const code = `//${' '.repeat(1024 * 1024 - 2)}`;
  expect(transform.apply(code, '/srv/large.js', 'commonjs')).toBe(code);
  transform.apply(code.slice(1), '/srv/small.js', 'commonjs');
  expect(large).toEqual(['/srv/large.js']);
});
