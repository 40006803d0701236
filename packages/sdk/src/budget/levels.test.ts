import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { adjustLevels, costAt, type Level, type SiteUse } from './levels.ts';

function site(calls: number, values?: number, structure?: number, level: Level = 'values'): SiteUse {
  return { calls, level, perCall: { values, structure } };
}
const levels = (sites: readonly SiteUse[]) => sites.map(({ level }) => level);

describe('what costs too much', () => {
  test.each<[string, number, number, Level[]]>([
    ['nothing, where all fits', 1300, 0, ['values', 'values', 'values']],
    ['the hottest, by its values', 1000, 0, ['structure', 'values', 'values']],
    ['the next one, where that is not enough', 300, 0, ['structure', 'structure', 'values']],
    ['then the hottest again, whole', 100, 0, ['off', 'structure', 'values']],
    ['all, where nothing fits', 1, 0, ['off', 'off', 'off']],
    ['more, where other costs take their share', 1000, 700, ['structure', 'structure', 'values']],
    ['all, where those alone are too much', 1000, 2000, ['off', 'off', 'off']],
  ])('loses: %s', (_, allowance, fixed, expected) => {
    const sites = [site(100, 10, 1), site(20, 10, 2), site(10, 4, 2)];
    const changed = adjustLevels(sites, allowance, fixed);
    expect(levels(sites)).toEqual(expected);
    expect(changed).toBe(expected.filter((level) => level !== 'values').length);
  });

  it('is no function that was not called', () => {
    const sites = [site(0, 50, 5), site(10, 5, 1)];
    adjustLevels(sites, 1, 100);
    expect(levels(sites)).toEqual(['values', 'off']);
  });
});

describe('what was lowered comes back', () => {
  it('the cheapest first, a step at a time, where there is room to spare', () => {
    const sites = [site(100, 10, 1, 'off'), site(10, 8, 2, 'structure'), site(10, 4, 2, 'off')];
    expect(adjustLevels(sites, 1000, 0)).toBe(3);
    expect(levels(sites)).toEqual(['structure', 'values', 'structure']);
  });

  it('not where it would all but fill the budget', () => {
    const sites = [site(100, 10, 1, 'structure')];
    expect(adjustLevels(sites, 1200, 0)).toBe(0);
    expect(levels(sites)).toEqual(['structure']);
  });
});

it('the cost of a level is estimated until it was measured', () => {
  expect(costAt(site(10, 8), 'structure')).toBe(20);
  expect(costAt(site(10, undefined, 2), 'values')).toBe(80);
  expect(costAt(site(10), 'values')).toBe(0);
  expect(costAt(site(10, 8, 2), 'off')).toBe(0);
});

test('whatever the costs: what can fit does, and going up never leaves the budget', () => {
  const cost = fc.double({ min: 0.01, max: 100, noNaN: true });
  const uses = fc.array(
    fc.record({
      calls: fc.nat(1000),
      level: fc.constantFrom<Level>('values', 'structure', 'off'),
      values: cost,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(uses, fc.nat(100_000), fc.nat(1000), (given, allowance, fixed) => {
      const sites = given.map(({ calls, level, values, share }) =>
        site(calls, values, values * share, level),
      );
      const total = () => sites.reduce((sum, one) => sum + costAt(one, one.level), fixed);
      const before = total();
      adjustLevels(sites, allowance, fixed);
      if (fixed <= allowance) expect(total()).toBeLessThanOrEqual(allowance * (1 + 1e-9) + 1e-6);
      else expect(total()).toBeLessThanOrEqual(before);
    }),
  );
});
