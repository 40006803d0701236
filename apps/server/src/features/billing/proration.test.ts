import { BILLING_CYCLES, PLAN_IDS, PLANS } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeFirstPeriod, computeNextPeriod, decideEffect, prorate } from './proration.ts';
import type { Period, SubscriptionState, Terms } from './subscription.ts';

const cycle = fc.constantFrom(...BILLING_CYCLES);
const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
const paidPlan = fc.constantFrom(...PLAN_IDS.filter((plan) => PLANS[plan].price > 0));
const terms: fc.Arbitrary<Terms> = fc.record({ plan: paidPlan, cycle });
const active = (of: Terms, start: Date) =>
  ({
    status: 'active',
    terms: of,
    period: computeFirstPeriod(start, of.cycle),
    next: { kind: 'renewal' },
  }) as const;

const MONTHS = { monthly: 1, yearly: 12 } as const;

/** Returns the same day and time of day some months later, or the last day of that month if the month is too short. */
function findLater(start: Date, months: number): Date {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  let day = start.getUTCDate();
  while (new Date(Date.UTC(year, month, day)).getUTCMonth() !== month % 12) day -= 1;
  return new Date(Date.UTC(year, month, day) + (start.getTime() % 86_400_000));
}

test.each([
  ['2026-01-31', 'monthly', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
  ['2024-01-30', 'monthly', ['2024-02-29', '2024-03-30', '2024-04-30', '2024-05-30']],
  ['2024-02-29', 'yearly', ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  ['2026-12-29', 'monthly', ['2027-01-29', '2027-02-28', '2027-03-29', '2027-04-29']],
] as const)('periods that begin on %s and are paid %s end on %j', (start, paid, ends) => {
  let period = computeFirstPeriod(new Date(`${start}T23:59:59.999Z`), paid);
  const found = ends.map(() => {
    const end = period.end.toISOString();
    period = computeNextPeriod(period, paid);
    return end;
  });
  expect(found).toEqual(ends.map((day) => `${day}T23:59:59.999Z`));
});

test('periods follow each other, and end on the same day of a month or on the last day of a shorter month', () => {
  fc.assert(
    fc.property(instant, fc.array(cycle, { minLength: 1, maxLength: 30 }), (start, cycles) => {
      let period: Period | undefined;
      let months = 0;
      for (const each of cycles) {
        period = period === undefined ? computeFirstPeriod(start, each) : computeNextPeriod(period, each);
        const begin = findLater(start, months);
        months += MONTHS[each];
        expect(period).toEqual({ start: begin, end: findLater(start, months), anchor: start });
      }
    }),
    { numRuns: 300 },
  );
});

/** Computes a share of a plan's price in whole cents, rounded half up, with exact integers. */
function shareInCents({ plan, cycle: paid }: Terms, partMs: number, wholeMs: number): number {
  const months = paid === 'yearly' ? 10 : 1;
  const numerator = BigInt(PLANS[plan].price * 100 * months) * BigInt(partMs);
  return Number((2n * numerator + BigInt(wholeMs)) / (2n * BigInt(wholeMs)));
}

describe('a change within a period', () => {
  test("credits the unused share of the old plan's price and charges the same share of the new plan's price, to the cent", () => {
    const share = fc.double({ min: -0.5, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(terms, terms, instant, share, (had, chosen, start, passed) => {
        const state = active(had, start);
        const end = state.period.end.getTime();
        const now = new Date(start.getTime() + passed * (end - start.getTime()));
        const { credit, charge, period } = prorate(state, chosen, now);
        const wholeMs = end - start.getTime();
        const leftMs = Math.min(wholeMs, Math.max(0, end - now.getTime()));
        expect(credit).toBe(shareInCents(had, leftMs, wholeMs));
        // A change of billing cycle starts a new period. Otherwise the period stays.
        const keepsPeriod = had.cycle === chosen.cycle;
        expect(charge).toBe(shareInCents(chosen, keepsPeriod ? leftMs : wholeMs, wholeMs));
        if (keepsPeriod) expect(period).toEqual(state.period);
        else expect(period).toEqual({ start: now, end: findLater(now, MONTHS[chosen.cycle]), anchor: now });
      }),
      { numRuns: 2000 },
    );
  });

  test("takes effect immediately for an upgrade and at the period's end for a downgrade; a larger plan with a shorter billing cycle is refused", () => {
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
