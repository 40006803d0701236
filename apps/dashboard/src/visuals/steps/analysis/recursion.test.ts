import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep } from '../step.fixture.ts';
import { stepRows } from '../tree/step-rows.ts';
import { measureChain } from './recursion.ts';

/** Builds nested calls from their function names, outermost first. */
function callDown(names: readonly string[], more: Partial<Step> = {}) {
  const steps = names.map((stepName, index) =>
    aStep(`s${index}`, {
      stepName,
      parentStepId: index === 0 ? null : `s${index - 1}`,
      sequence: index,
      ...more,
    }),
  );
  return aForest(steps);
}

describe('a recursive chain of calls', () => {
  it('is counted as a chain only at its first call', () => {
    const { all } = callDown(['main', 'walk', 'walk', 'walk', 'end']);
    expect(all.map(measureChain)).toEqual([1, 3, 1, 1, 1]);
  });

  it('ends at a call that calls the same function several times', () => {
    const parents = [null, 's0', 's1', 's1'];
    const steps = parents.map((parentStepId, index) =>
      aStep(`s${index}`, { stepName: 'walk', parentStepId, sequence: index }),
    );
    expect(aForest(steps).all.map(measureChain)).toEqual([2, 1, 1, 1]);
  });

  it('is one row that expands to all its calls', () => {
    const forest = callDown(['main', ...Array.from({ length: 12 }, () => 'walk'), 'end']);
    const [, folded, ...others] = stepRows({ forest }, new Set());
    expect(folded).toMatchObject({ open: false, chain: 12 });
    expect(others).toEqual([]);
    expect(stepRows({ forest }, new Set(['s1']))).toHaveLength(14);
  });

  it('stays expanded if it contains a failure', () => {
    const forest = callDown(['walk', 'walk', 'walk'], { error: { message: 'x' } });
    expect(stepRows({ forest }, new Set())).toHaveLength(3);
  });

  it('counts the consecutive calls of the same function, for any nested calls', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 40 }), (names) => {
        const lengths = names.map((name, index) => {
          if (names[index - 1] === name) return 1;
          const next = names.findIndex((other, at) => at > index && other !== name);
          return (next < 0 ? names.length : next) - index;
        });
        expect(callDown(names).all.map(measureChain)).toEqual(lengths);
      }),
    );
  });
});
