import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { adjustLevels, costAt, type Level, type SiteUse } from './levels.ts';

function site(calls: number, values?: number, structure?: number, level: Level = 'values'): SiteUse {
  return { calls, busyCalls: calls, level, perCall: { values, structure } };
}
const levels = (sites: readonly SiteUse[]) => sites.map(({ level }) => level);

describe('to fit the budget', () => {
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

describe('lowered functions', () => {
  it('are raised one level at a time, the cheapest first, if the budget has a reserve', () => {
    const sites = [site(100, 10, 1, 'off'), site(10, 8, 2, 'structure'), site(10, 4, 2, 'off')];
    expect(adjustLevels(sites, 1000, 0)).toBe(3);
    expect(levels(sites)).toEqual(['structure', 'values', 'structure']);
  });

  it('are not raised in a quiet window if that would use up the budget when the service is busy', () => {
    const quiet = { ...site(1, 10, 1, 'structure'), busyCalls: 200 };
    expect(adjustLevels([quiet], 1000, 0)).toBe(0);
    expect(adjustLevels([{ ...quiet, busyCalls: 10 }], 1000, 0)).toBe(1);
  });

  it('are not raised if that would almost use up the budget', () => {
    const sites = [site(100, 10, 1, 'structure')];
    expect(adjustLevels(sites, 1200, 0)).toBe(0);
    expect(levels(sites)).toEqual(['structure']);
  });
});

it('the cost of a level is estimated until it has been measured', () => {
  expect(costAt(site(10, 8), 'structure')).toBe(20);
  expect(costAt(site(10, undefined, 2), 'values')).toBe(80);
  expect(costAt(site(10), 'values')).toBe(0);
  expect(costAt(site(10, 8, 2), 'off')).toBe(0);
});

test('for any costs, the levels fit the budget if possible, and raising a level never exceeds the budget', () => {
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
