import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { adjustLevels, computeCost, type Level, type SiteUse } from './levels.ts';

function site(calls: number, values?: number, structure?: number, level: Level = 'values'): SiteUse {
  return { calls, busyCalls: calls, level, perCall: { values, structure } };
}
const levels = (sites: readonly SiteUse[]) => sites.map(({ level }) => level);

describe('to stay within the CPU budget', () => {
  test.each<[string, number, number, Level[]]>([
    ['nothing if all functions fit', 1300, 0, ['values', 'values', 'values']],
    ['the values of the most expensive function', 1000, 0, ['structure', 'values', 'values']],
    ['the values of two functions if the budget is smaller', 300, 0, ['structure', 'structure', 'values']],
    ['the most expensive function and the values of the next', 100, 0, ['off', 'structure', 'values']],
    ['all functions if none fits', 1, 0, ['off', 'off', 'off']],
    ['more values if other costs use a share', 1000, 700, ['structure', 'structure', 'values']],
    ['all functions if other costs alone exceed the budget', 1000, 2000, ['off', 'off', 'off']],
  ])('the SDK drops %s', (_, allowance, fixed, expected) => {
    const sites = [site(100, 10, 1), site(20, 10, 2), site(10, 4, 2)];
    const changed = adjustLevels(sites, allowance, fixed);
    expect(levels(sites)).toEqual(expected);
    expect(changed).toBe(expected.filter((level) => level !== 'values').length);
  });

  it('a function that was not called keeps its level', () => {
    const sites = [site(0, 50, 5), site(10, 5, 1)];
    adjustLevels(sites, 1, 100);
    expect(levels(sites)).toEqual(['values', 'off']);
  });
});

describe('functions that are recorded less because of the CPU budget', () => {
  it('get back their levels one at a time, the cheapest function first, if the budget has a reserve', () => {
    const sites = [site(100, 10, 1, 'off'), site(10, 8, 2, 'structure'), site(10, 4, 2, 'off')];
    expect(adjustLevels(sites, 1000, 0)).toBe(3);
    expect(levels(sites)).toEqual(['structure', 'values', 'structure']);
  });

  it('keep the lower level in a quiet time if their calls in a busy time would use up the budget', () => {
    const quiet = { ...site(1, 10, 1, 'structure'), busyCalls: 200 };
    expect(adjustLevels([quiet], 1000, 0)).toBe(0);
    expect(adjustLevels([{ ...quiet, busyCalls: 10 }], 1000, 0)).toBe(1);
  });

  it('keep the lower level if the next level would use almost all of the budget', () => {
    const sites = [site(100, 10, 1, 'structure')];
    expect(adjustLevels(sites, 1200, 0)).toBe(0);
    expect(levels(sites)).toEqual(['structure']);
  });
});

it('the cost of a level is estimated until the cost has been measured', () => {
  expect(computeCost(site(10, 8), 'structure')).toBe(20);
  expect(computeCost(site(10, undefined, 2), 'values')).toBe(80);
  expect(computeCost(site(10), 'values')).toBe(0);
  expect(computeCost(site(10, 8, 2), 'off')).toBe(0);
});

const LEVELS: readonly Level[] = ['off', 'structure', 'values'];

interface Use {
  readonly calls: number;
  readonly busy: number;
  readonly level: Level;
  readonly values: number;
  readonly structure: number;
}

/**
 * Computes the levels slowly, as a reference: changes one level at a time, and after each change sums up all costs again. All costs are
 * whole numbers.
 */
function changeSlowly(uses: readonly Use[], allowance: number, fixed: number): Level[] {
  const found = uses.map(({ level }) => level);
  const cost = (at: number, level: Level, calls: 'calls' | 'busy') => {
    const use = uses[at];
    return use === undefined || level === 'off' ? 0 : use[calls] * use[level];
  };
  const total = (calls: 'calls' | 'busy') =>
    found.reduce((sum, level, at) => sum + cost(at, level, calls), fixed);
  const change = (at: number, by: 1 | -1) => LEVELS[LEVELS.indexOf(found[at] ?? 'off') + by] ?? 'off';
  if (total('calls') > allowance) {
    for (;;) {
      const costs = found.map((level, at) => cost(at, level, 'calls'));
      const most = Math.max(0, ...costs);
      if (most === 0 || total('calls') <= allowance) return found;
      const hottest = costs.indexOf(most);
      found[hottest] = change(hottest, -1);
    }
  }
  const raise = (at: number) => cost(at, change(at, 1), 'busy') - cost(at, found[at] ?? 'off', 'busy');
  const places = [...found.keys()].filter((at) => found[at] !== 'values');
  const byCost = places.map((at) => ({ at, more: raise(at) })).sort((a, b) => a.more - b.more);
  for (const { at, more } of byCost) {
    // A fifth of the budget stays free.
    if (5 * (total('busy') + more) > 4 * allowance) break;
    found[at] = change(at, 1);
  }
  return found;
}

test('for random costs, adjustLevels finds the same levels as a slow reference that changes one level at a time', () => {
  const uses = fc.array(
    fc.record({
      calls: fc.oneof(fc.nat(3), fc.nat(100)),
      more: fc.nat(20),
      level: fc.constantFrom<Level>('values', 'structure', 'off'),
      structure: fc.integer({ min: 1, max: 20 }),
      captured: fc.nat(20),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(uses, fc.oneof(fc.nat(90), fc.nat(20_000)), fc.nat(20), (drawn, allowance, fixed) => {
      const given = drawn.map(({ calls, more, level, structure, captured }) => ({
        ...{ calls, busy: calls + more, level, structure },
        values: structure + captured,
      }));
      const sites = given.map(({ calls, busy, level, values, structure }) => ({
        ...site(calls, values, structure, level),
        busyCalls: busy,
      }));
      const expected = changeSlowly(given, allowance, fixed);
      const changed = given.filter(({ level }, at) => level !== expected[at]).length;
      expect(adjustLevels(sites, allowance, fixed)).toBe(changed);
      expect(levels(sites)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
