import { pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { record, stepNamed, traced } from '../../test/traced.ts';

/** Returns the source of a function with `count` bindings. The value of each binding is its number, and the function returns their sum. */
type Shape = (count: number) => string;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const lines = (count: number, line: (index: number) => string): string => numbers(count).map(line).join('\n');
const printSum = (count: number): string =>
  `[a, ${numbers(count).map((index) => `v${index}`)}].reduce((sum, value) => sum + value, 0)`;

const shapes: readonly [name: string, shape: Shape][] = [
  ['next to a parameter', (n) => `f(a) { ${lines(n, (i) => `const v${i} = ${i}`)}\nreturn ${printSum(n)} }`],
  [
    'next to destructured parameters',
    (n) =>
      `f(a, { b, c: [d] = [0] } = {}, ...rest) { ${lines(n, (i) => `let v${i} = ${i}`)}\nreturn ${printSum(n)} }`,
  ],
  [
    'in nested blocks',
    (n) =>
      `f(a) { let sum = a\n${lines(n, (i) => `if (sum >= 0) { const v${i} = ${i}; { let w = v${i}; sum += w } }`)}\nreturn sum }`,
  ],
  [
    'destructured from one object',
    (n) =>
      `f(a) { const { ${numbers(n).map((i) => `v${i} = ${i}`)} } = {}, [first = a] = []\nreturn first * 0 + ${printSum(n)} }`,
  ],
  [
    'declared with var and function',
    (n) =>
      `f(a) { ${lines(n, (i) => (i % 2 === 0 ? `var v${i} = ${i}` : `function w${i}() { return ${i} }; let v${i} = w${i}()`))}\nreturn ${printSum(n)} }`,
  ],
  [
    'assigned by nested functions',
    (n) =>
      `f(a) { ${lines(n, (i) => `let v${i}`)}\n;(() => { ${lines(n, (i) => `v${i} = ${i}`)} })()\nreturn ${printSum(n)} }`,
  ],
];

const kinds = ['function', 'async function', 'function*', 'async function*'];

describe('a function with many bindings', () => {
  describe.each(pickRows(shapes, { usually: 2 }))('%s', (_, shape) => {
    test.each([199, 200, 201, 5000])(
      'behaves as without instrumentation if it has %i bindings',
      async (count) => {
        for (const kind of kinds) {
          const source = `exports.f = ${kind} ${shape(count)}`;
          const call = kind.includes('*')
            ? `${source}\nconst g = exports.f; exports.f = async (...args) => (await g(...args).next()).value`
            : source;
          const { f } = traced(call);
          const expected = (count * (count - 1)) / 2 + 3;
          expect(await f?.(3)).toBe(expected);
          expect(await record(() => f?.(3))).toMatchObject({ result: expected, thrown: undefined });
        }
      },
    );
  });

  test('shows the bindings of its outermost block', async () => {
    const inner = lines(300, (index) => `const v${index} = ${index}`);
    const { f } = traced(
      `exports.f = function f(a) { { ${inner}\nlet last = 1\nconst found = () => { last++ }; found() } const late = 2; { return late } }`,
    );
    const { flow } = await record(() => f?.(1));
    const shown = stepNamed(flow, 'f').variables;
    expect(shown?.parameters).toEqual({ a: 1 });
    expect(shown?.localVariables).toMatchObject({ late: 2 });
  });
});
