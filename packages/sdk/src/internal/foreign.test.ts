import { expect, test } from 'vitest';
import { replaceOnce } from './foreign.ts';

test('a library’s method that cannot be replaced stays unchanged, and causes no error', () => {
  const run = () => 'the driver';
  const prototype = Object.defineProperty({}, 'run', { value: run });
  replaceOnce(prototype, 'run', () => () => 'replaced');
  expect(Reflect.get(prototype, 'run')).toBe(run);
});

test('a library’s replaced method keeps its name, its number of parameters and its enumerability', () => {
  const prototype = { run: (_sql: unknown) => 'the driver' };
  replaceOnce(prototype, 'run', () => () => 'replaced');
  const { run } = prototype;
  expect([run.name, run.length, run(''), Object.keys(prototype)]).toEqual(['run', 1, 'replaced', ['run']]);
});
