import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeIndent, planIndentation } from './step-indent.ts';

describe('the indentation of steps', () => {
  it('is full for upper levels and narrow for deeper levels', () => {
    const plan = planIndentation(500, 10);
    expect([0, 1, 6, 7, 10].map((depth) => computeIndent(plan, depth).px)).toEqual([0, 16, 96, 100, 112]);
  });

  it('leaves space for the names of steps at depth 40', () => {
    const plan = planIndentation(380, 40);
    expect(computeIndent(plan, 40)).toEqual({ px: 14 * 6 + 34 * 4, isCut: false });
  });

  it('becomes narrower if names would otherwise not fit', () => {
    expect(planIndentation(234, 6)).toEqual({ widePx: 12, maxPx: 74 });
  });

  it('distinguishes at least a few levels, however narrow the column is', () => {
    const plan = planIndentation(80, 30);
    expect([1, 2, 3, 4].map((depth) => computeIndent(plan, depth).px)).toEqual([6, 12, 18, 24]);
    expect(computeIndent(plan, 5).isCut).toBe(true);
  });

  it("never takes the names' space, never decreases with depth, and reports if a step is deeper than the maximum indentation", () => {
    const columns = fc.integer({ min: 200, max: 1600 });
    const depths = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(columns, depths, depths, (columnPx, deepest, depth) => {
        const plan = planIndentation(columnPx, deepest);
        const above = computeIndent(plan, depth);
        const below = computeIndent(plan, depth + 1);
        expect(columnPx - below.px).toBeGreaterThanOrEqual(160);
        expect(below.px).toBeGreaterThanOrEqual(above.px);
        expect(below.px === above.px ? below.isCut : true).toBe(true);
      }),
    );
  });
});
