import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep } from '../step.fixture.ts';
import { findPinned, limitPinned } from './find-pinned.ts';
import { type StepRow, stepRows } from './step-rows.ts';

/** Returns the rows of steps with the given parents; each step is a call of a different function. */
function listRows(parents: readonly (number | null)[]): StepRow[] {
  const steps = parents.map((parent, index) =>
    aStep(`s${index}`, {
      parentStepId: parent === null ? null : `s${parent}`,
      sequence: index,
      stepName: `call ${index}`,
    }),
  );
  return stepRows({ forest: aForest(steps) }, new Set());
}

describe('pinned rows', () => {
  const chain = listRows([null, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

  it('do not exist while the list is scrolled to its top', () => {
    expect(findPinned(chain, 0, 5)).toEqual([]);
  });

  it('are the callers of the first visible row below them', () => {
    const rows = listRows([null, 0, 1, 1, 1, 1, 1]);
    expect(findPinned(rows, 3, 5)).toEqual([0, 1]);
  });

  it('are only the nearest callers if there are too many callers to pin all', () => {
    expect(findPinned(chain, 3, 5)).toEqual([3, 4, 5, 6, 7]);
  });

  it('do not exist if the first visible row has no callers', () => {
    expect(findPinned(listRows([null, null, null, null]), 2, 5)).toEqual([]);
  });

  it('take at most a small part of the list, and are left out of a very short list', () => {
    expect([3, 8, 12, 40].map(limitPinned)).toEqual([0, 2, 3, 5]);
  });

  it('are the nearest callers of the first row that the pinned rows do not cover, for any calls', () => {
    const parents = fc
      .array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 40, size: 'max' })
      .map((picks) => picks.map((pick, index) => (index === 0 || pick % 7 === 0 ? null : pick % index)));
    fc.assert(
      fc.property(parents, fc.nat({ max: 30 }), fc.integer({ min: 0, max: 5 }), (list, first, most) => {
        // Each row is below its caller, and above the rows of later calls of that caller.
        const order: number[] = [];
        const visit = (caller: number | null) => {
          for (const [step, parent] of list.entries()) {
            if (parent !== caller) continue;
            order.push(step);
            visit(step);
          }
        };
        visit(null);
        const listCallers = (row: number) => {
          const callers: number[] = [];
          for (let at = list[order[row] ?? -1] ?? null; at !== null; at = list[at] ?? null)
            callers.unshift(order.indexOf(at));
          return callers;
        };
        const pinned = findPinned(listRows(list), first, most);
        const counts = Array.from({ length: most + 1 }, (_, count) => count).filter(
          (count) => first + count < order.length && listCallers(first + count).slice(-most).length <= count,
        );
        const isAtTop = first === 0 || most === 0 || counts[0] === undefined;
        expect(pinned).toEqual(isAtTop ? [] : listCallers(first + (counts[0] ?? 0)).slice(-most));
      }),
    );
  });
});
