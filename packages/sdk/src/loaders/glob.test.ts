import { expect, test } from 'vitest';
import { compileGlob } from './glob.ts';

test.each([
  ['src/**/*.js', 'src/a.js', true],
  ['src/**/*.js', 'src/a/b/c.js', true],
  ['src/**/*.js', 'lib/src/a.js', false],
  ['src/*.js', 'src/a/b.js', false],
  ['*.gen.js', 'deep/in/x.gen.js', true],
  ['generated', 'src/generated/a.js', true],
  ['src/generated', 'src/generated/deep/a.js', true],
  ['src/generated/', 'src/generated.js', false],
  ['./src/a.js', 'src/a.js', true],
  ['src/{a,b}.js', 'src/b.js', true],
  ['src/{a,b}.js', 'src/c.js', false],
  ['a?.js', 'ab.js', true],
  ['a.b(c)[d]+$^.js', 'a.b(c)[d]+$^.js', true],
  ['a.js', 'axjs', false],
  ['**', 'any/thing.js', true],
  ['{open', '{open', true],
])('the glob %s matches %s: %s', (glob, path, matches) => {
  expect(compileGlob(glob).test(path)).toBe(matches);
});
