import type { Step, StepType } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countStepsBelow, listNodes } from '../analysis/bundle-repeats.ts';
import { findCriticalPath } from '../analysis/critical-path.ts';
import type { StepForest, StepNode } from '../analysis/step-forest.ts';
import { aForest, aStep, ran } from '../step.fixture.ts';
import { filterSteps, type StepQuery } from './step-filter.ts';
import { revealEntry, type StepRow, stepRows } from './step-rows.ts';

const step = (stepId: string, parentStepId: string | null, more: Partial<Step> = {}): Step =>
  aStep(stepId, { parentStepId, ...ran(0, 1), ...more });

const ALL: StepQuery = { text: '', type: undefined, only: undefined };
const filterForest = (forest: StepForest, query: Partial<StepQuery>) =>
  filterSteps(forest, { ...ALL, ...query }, findCriticalPath(forest, 1), new Map());

describe('the filter of steps', () => {
  const forest = aForest([
    step('checkout', null, { stepType: 'handler', filePath: 'src/checkout.ts', lineNumber: 7 }),
    step('loadCart', 'checkout', { sequence: 1, functionName: 'Cart.load' }),
    step('SELECT carts', 'loadCart', { sequence: 2, stepType: 'database' }),
    step('taxFor', 'checkout', {
      sequence: 3,
      filePath: 'src/tax.ts',
      lineNumber: 18,
      error: { name: 'TypeError', message: 'no Rate' },
      inputs: { items: [{ sku: 'SKU-88' }], at: { $type: 'Map', size: 1, entries: [['country', 'UK']] } },
      variables: { localVariables: { entry: { $type: 'undefined' } }, returnValue: 12.5 },
    }),
  ]);
  const found = (query: Partial<StepQuery>) =>
    [...(filterForest(forest, query)?.matches ?? [])].map(({ key }) => key);

  it.each<[Partial<StepQuery>, string[]]>([
    [{ text: 'CART' }, ['loadCart', 'SELECT carts']],
    [{ text: 'cart.load' }, ['loadCart']],
    [{ text: 'src/tax.ts:18' }, ['taxFor']],
    [{ text: 'rate typeerror' }, ['taxFor']],
    [{ text: 'database' }, ['SELECT carts']],
    [{ text: 'cart nothing' }, []],
    [{ text: 'sku-88' }, ['taxFor']],
    [{ text: 'country uk' }, ['taxFor']],
    [{ text: 'tax 12.5' }, ['taxFor']],
    [{ type: 'handler' }, ['checkout']],
    [{ only: 'errors' }, ['taxFor']],
    [{ only: 'errors', type: 'database' }, []],
  ])('with %j finds %j', (query, keys) => {
    expect(found(query)).toEqual(keys);
  });

  it.each([
    ['taxfor', undefined],
    ['sku-88', 'inputs'],
    ['taxfor sku-88 12.5', 'inputs, return value'],
    ['entry', 'local variables'],
    ['rate', 'error'],
    ['tax.ts', 'file'],
  ])('shows which parts of a step contain %j: %s', (text, parts) => {
    const filter = filterForest(forest, { text });
    const rows = stepRows({ forest, filter }, new Set());
    expect(rows.find(({ entry }) => entry.key === 'taxFor')?.foundIn).toBe(parts);
  });

  it('is undefined if no condition is set', () => {
    expect(filterForest(forest, {})).toBeUndefined();
    expect(filterForest(forest, { text: '  ' })).toBeUndefined();
  });

  it('also shows the callers of matching steps, expanded and marked as callers', () => {
    const filter = filterForest(forest, { text: 'select' });
    const rows = stepRows({ forest, filter }, new Set());
    expect(rows.map(({ entry, onlyCaller }) => [entry.key, onlyCaller])).toEqual([
      ['checkout', true],
      ['loadCart', true],
      ['SELECT carts', false],
    ]);
  });

  it('can select the critical path', () => {
    const filter = filterForest(forest, { only: 'critical' });
    expect(filter?.matches).toEqual(findCriticalPath(forest, 1).steps);
  });
});

describe('the rows of steps', () => {
  const TYPES: readonly StepType[] = ['function', 'database'];
  interface AnyStep {
    readonly id: number;
    readonly parent: number | null;
    readonly name: string;
    readonly type: StepType;
    readonly failed: boolean;
  }
  const flows: fc.Arbitrary<AnyStep[]> = fc.array(
    fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      parent: fc.option(fc.integer({ min: 0, max: 14 })),
      name: fc.constantFrom('a', 'b'),
      type: fc.constantFrom(...TYPES),
      failed: fc.boolean(),
    }),
    { maxLength: 40 },
  );
  const buildForest = (flow: readonly AnyStep[]) =>
    aForest(
      flow.map(({ id, parent, name, type, failed }, sequence) =>
        step(`s${id}`, parent === null ? null : `s${parent}`, {
          sequence,
          stepName: name,
          stepType: type,
          error: failed ? { message: 'x' } : null,
        }),
      ),
    );
  /** Counts steps that have a row, and steps that a closed row hides. */
  const drawnAndCounted = (rows: readonly StepRow[]) =>
    rows.reduce(
      (sum, { entry, open }) =>
        sum + (entry.kind === 'step' ? 1 : 0) + (open === false ? countStepsBelow(entry) : 0),
      0,
    );

  it('show each step, or count it in a folded row', () => {
    fc.assert(
      fc.property(flows, fc.array(fc.nat({ max: 60 }), { maxLength: 20 }), (flow, picks) => {
        const forest = buildForest(flow);
        const toggled = new Set<string>();
        for (const pick of picks) {
          const rows = stepRows({ forest }, toggled);
          expect(drawnAndCounted(rows)).toBe(flow.length);
          const key = rows[pick % Math.max(1, rows.length)]?.entry.key;
          if (key !== undefined && !toggled.delete(key)) toggled.add(key);
        }
        expect(drawnAndCounted(stepRows({ forest }, toggled))).toBe(flow.length);
      }),
    );
  });

  it('are hidden if they are below a folded row, and shown again when the row is unfolded', () => {
    fc.assert(
      fc.property(flows, fc.nat(), (flow, pick) => {
        const forest = buildForest(flow);
        const before = stepRows({ forest }, new Set());
        const openRows = before.filter(({ open }) => open === true);
        const chosen = openRows[pick % Math.max(1, openRows.length)];
        if (chosen === undefined) return;
        const keys = (rows: readonly StepRow[]) => rows.map(({ entry }) => entry.key);
        const from = before.indexOf(chosen) + 1;
        const after = before.findIndex(({ level }, index) => index >= from && level <= chosen.level);
        const rest = after < 0 ? [] : before.slice(after);
        const toggled = new Set([chosen.entry.key]);
        const folded = stepRows({ forest }, toggled);
        expect(keys(folded)).toEqual(keys([...before.slice(0, from), ...rest]));
        toggled.delete(chosen.entry.key);
        expect(keys(stepRows({ forest }, toggled))).toEqual(keys(before));
      }),
    );
  });

  it('show exactly the matching steps and their callers if there is a filter', () => {
    fc.assert(
      fc.property(
        flows,
        fc.constantFrom('a', '', 'b x', 'DATA'),
        fc.constantFrom(undefined, ...TYPES),
        (flow, text, type) => {
          const forest = buildForest(flow);
          const filter = filterForest(forest, { text, type, only: 'errors' });
          if (filter === undefined) throw new Error('the text is not a filter');
          const expected = flow.flatMap((one, sequence) => {
            const texts = [one.name, one.type, 'x'].join('\n');
            const isFound = text.split(' ').every((word) => texts.includes(word.toLowerCase()));
            return one.failed && isFound && (type === undefined || one.type === type) ? [sequence] : [];
          });
          const listPlaces = (nodes: Iterable<StepNode>) =>
            [...nodes].map(({ step: { sequence } }) => sequence).toSorted((a, b) => a - b);
          expect(listPlaces(filter.matches)).toEqual(expected);
          const expectedSteps = new Set<StepNode>();
          for (const at of forest.all.filter(({ step: { sequence } }) => expected.includes(sequence))) {
            for (let above: StepNode | undefined = at; above !== undefined; above = above.parent)
              expectedSteps.add(above);
          }
          expect(filter.shown).toEqual(expectedSteps);
          const rows = stepRows({ forest, filter }, new Set());
          const shown = new Set(rows.flatMap(({ entry }) => listNodes(entry)));
          expect(shown).toEqual(expectedSteps);
          for (const node of filter.matches) {
            expect(shown.has(node)).toBe(true);
            expect(revealEntry({ forest, filter }, node.key, new Set()).size).toBe(0);
          }
        },
      ),
    );
  });
});
