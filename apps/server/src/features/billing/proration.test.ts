import { BILLING_CYCLES, computePrice, PLAN_IDS, PLANS } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideEffect, firstPeriod, periodAfter, prorate } from './proration.ts';
import type { SubscriptionState, Terms } from './subscription.ts';

const cycle = fc.constantFrom(...BILLING_CYCLES);
const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
const paidPlan = fc.constantFrom(...PLAN_IDS.filter((plan) => PLANS[plan].price > 0));
const terms: fc.Arbitrary<Terms> = fc.record({ plan: paidPlan, cycle });
const active = (of: Terms, start: Date) =>
  ({ status: 'active', terms: of, period: firstPeriod(start, of.cycle), next: { kind: 'renewal' } }) as const;

const daysInMonth = (at: Date) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();

test.each([
  ['2026-01-31', 'monthly', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
  ['2024-01-30', 'monthly', ['2024-02-29', '2024-03-30', '2024-04-30', '2024-05-30']],
  ['2024-02-29', 'yearly', ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  ['2026-12-29', 'monthly', ['2027-01-29', '2027-02-28', '2027-03-29', '2027-04-29']],
] as const)('begun on %s and paid %s, periods end on %j', (start, paid, ends) => {
  let period = firstPeriod(new Date(`${start}T23:59:59.999Z`), paid);
  const found = ends.map(() => {
    const end = period.end.toISOString();
    period = periodAfter(period, paid);
    return end;
  });
  expect(found).toEqual(ends.map((day) => `${day}T23:59:59.999Z`));
});

test('periods follow each other without a gap, on the day they began on or the last of a shorter month, whatever is paid for', () => {
  fc.assert(
    fc.property(instant, fc.array(cycle, { minLength: 1, maxLength: 30 }), (start, cycles) => {
      let period = firstPeriod(start, 'monthly');
      for (const next of cycles) {
        const after = periodAfter(period, next);
        expect(after.start).toEqual(period.end);
        expect(after.end > after.start).toBe(true);
        expect(after.end.getUTCDate()).toBe(Math.min(start.getUTCDate(), daysInMonth(after.end)));
        expect(after.end.getTime() % 86_400_000).toBe(start.getTime() % 86_400_000);
        period = after;
      }
    }),
    { numRuns: 300 },
  );
});

describe('a change within a period', () => {
  test('costs no more than its price, and gives back no more than was paid', () => {
    const share = fc.double({ min: -0.5, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(terms, terms, instant, share, (had, chosen, start, passed) => {
        const state = active(had, start);
        const { end } = state.period;
        const now = new Date(start.getTime() + passed * (end.getTime() - start.getTime()));
        const { credit, charge, period } = prorate(state, chosen, now);
        const cents = (of: Terms) => computePrice(of.plan, of.cycle) * 100;
        for (const [sum, most] of [
          [credit, cents(had)],
          [charge, cents(chosen)],
        ] as const) {
          expect(Number.isInteger(sum)).toBe(true);
          expect(sum).toBeGreaterThanOrEqual(0);
          expect(sum).toBeLessThanOrEqual(most);
        }
        if (passed <= 0) expect(credit).toBe(cents(had));
        if (passed >= 1) expect(credit).toBe(0);
        // Another cycle starts a new period; the same cycle keeps it.
        if (had.cycle === chosen.cycle) expect(period).toEqual(state.period);
        else expect([period.start, charge]).toEqual([now, cents(chosen)]);
      }),
      { numRuns: 500 },
    );
  });

  test('is at once for more, at its end for less, and refused where it is both', () => {
    const state: SubscriptionState = active({ plan: 'enterprise_basic', cycle: 'monthly' }, new Date(0));
    const yearly: SubscriptionState = active({ plan: 'enterprise_basic', cycle: 'yearly' }, new Date(0));
    expect(decideEffect(state, { plan: 'enterprise_basic', cycle: 'monthly' })).toBe('none');
    expect(decideEffect(state, { plan: 'enterprise_basic', cycle: 'yearly' })).toBe('now');
    expect(decideEffect(state, { plan: 'enterprise_plus', cycle: 'monthly' })).toBe('now');
    expect(decideEffect(state, { plan: 'pro', cycle: 'monthly' })).toBe('at_period_end');
    expect(decideEffect(state, { plan: 'pro', cycle: 'yearly' })).toBe('at_period_end');
    expect(decideEffect(yearly, { plan: 'enterprise_basic', cycle: 'monthly' })).toBe('at_period_end');
    expect(decideEffect(yearly, { plan: 'enterprise_plus', cycle: 'monthly' })).toBe('unclear');
    expect(
      decideEffect({ ...state, status: 'past_due', since: new Date(0) }, { plan: 'pro', cycle: 'monthly' }),
    ).toBe('now');
  });
});
