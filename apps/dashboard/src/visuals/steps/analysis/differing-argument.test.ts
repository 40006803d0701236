import type { CapturedValue } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep } from '../step.fixture.ts';
import { bundleRepeats } from './bundle-repeats.ts';
import { createCallDescriber, findDifferingPath } from './differing-argument.ts';

describe('the argument that distinguishes calls', () => {
  it.each<[string, CapturedValue[], readonly (string | number)[] | undefined]>([
    [
      'is the first argument that differs',
      [
        { a: 1, b: 2, c: 3 },
        { a: 1, b: 3, c: 4 },
      ],
      ['b'],
    ],
    [
      'is the first in order, for any differing calls',
      [
        { a: 1, b: 1 },
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
      ['a'],
    ],
    ['has a path within objects', [{ order: { id: 1 } }, { order: { id: 2 } }], ['order', 'id']],
    ['has a path within lists', [{ values: ['x', 1] }, { values: ['x', 2] }], ['values', 1]],
    ['can have no name', [[7], [8]], [0]],
    ['can be missing in a call', [{ a: 1 }, {}], ['a']],
    ['is undefined if all are equal', [{ a: { b: [1] } }, { a: { b: [1] } }], undefined],
    ['is undefined without arguments', [{}, {}], undefined],
    [
      'is undefined for values that were not captured',
      [{ a: { $type: 'redacted', of: 'string' } }, { a: 'x' }],
      undefined,
    ],
  ])('%s', (_name, calls, path) => {
    expect(findDifferingPath(calls)).toEqual(path);
  });

  it('is found if exactly one argument differs, whatever the other arguments are', () => {
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.oneof(fc.integer(), fc.string()));
    fc.assert(
      fc.property(values, fc.integer(), (given, value) => {
        const calls = [1, 2, 3].map((more) => ({ ...given, changed: value + more }));
        expect(findDifferingPath(calls)).toEqual(['changed']);
      }),
    );
  });

  it('is shown next to each call of a bundle after the values are loaded', () => {
    const steps = ['GB', 'DE', 'FR'].map((country, index) =>
      aStep(`tax${index}`, { sequence: index, inputs: { rate: 7, country } }),
    );
    const [bundle] = bundleRepeats(aForest(steps).roots);
    if (bundle?.kind !== 'bundle') throw new Error('no bundle');
    const describeCall = createCallDescriber(new Map(steps.map((step) => [step.stepId, step])));
    expect(bundle.nodes.map((node) => describeCall(bundle, node))).toEqual([
      'country: "GB"',
      'country: "DE"',
      'country: "FR"',
    ]);
    expect(createCallDescriber(new Map())(bundle, bundle.first)).toBeUndefined();
  });
});
