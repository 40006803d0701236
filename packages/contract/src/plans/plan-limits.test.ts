import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLimit, formatLimit, getLimit, listFeatures, type PlanLimit } from './plan-limits.ts';
import { PLAN_IDS, PLANS, type PlanId, type PlanKind } from './plans.ts';

/**
 * Expected limits of each plan, from the price list; -1 is unlimited. `LADDERS` lists the plans of each kind of account, from the smallest
 * to the largest.
 */
const LIMITS: Readonly<Record<PlanId, Readonly<Record<PlanLimit, number>>>> = {
  free_trial: { members: 1, projects: 1, traces: 1000, retention: 1, insights: 0 },
  starter: { members: 1, projects: 2, traces: 200_000, retention: 168, insights: 0 },
  solo_developer: { members: 1, projects: 5, traces: 500_000, retention: 168, insights: 0 },
  pro: { members: 15, projects: 5, traces: 2_000_000, retention: 504, insights: 0 },
  enterprise_basic: { members: 25, projects: -1, traces: 10_000_000, retention: 720, insights: 0 },
  enterprise_plus: { members: 50, projects: -1, traces: 25_000_000, retention: 2160, insights: -1 },
};
const LADDERS: Readonly<Record<PlanKind, readonly PlanId[]>> = {
  solo: ['free_trial', 'starter', 'solo_developer'],
  organization: ['free_trial', 'pro', 'enterprise_basic', 'enterprise_plus'],
};

const LIMIT_NAMES: readonly PlanLimit[] = ['members', 'projects', 'traces', 'retention', 'insights'];

describe('the error of a reached plan limit names the limit, the usage and the remedy', () => {
  test.each([
    [
      'projects',
      { plan: 'free_trial', kind: 'solo' },
      1,
      'Free Trial includes 1 project, and 1 is used. Upgrade to Starter for 2 projects.',
    ],
    [
      'projects',
      { plan: 'free_trial', kind: 'organization' },
      1,
      'Free Trial includes 1 project, and 1 is used. Upgrade to Pro for 5 projects.',
    ],
    [
      'members',
      { plan: 'pro', kind: 'organization' },
      15,
      'Pro includes 15 members, and 15 are used. Upgrade to Enterprise Basic for 25 members.',
    ],
    [
      'projects',
      { plan: 'pro', planBefore: 'enterprise_basic', kind: 'organization' },
      5,
      'Your plan will change from Enterprise Basic to Pro, which includes 5 projects, and 5 are used. Keep Enterprise Basic for unlimited projects.',
    ],
    [
      'members',
      { plan: 'pro', planBefore: 'enterprise_basic', kind: 'organization' },
      25,
      'Your plan will change from Enterprise Basic to Pro, which includes 15 members, and 25 are used. Upgrade to Enterprise Plus for 50 members.',
    ],
    [
      'members',
      { plan: 'free_trial', kind: 'organization' },
      1,
      'Cannot add members on free plan. Please upgrade your subscription to add team members.',
    ],
    [
      'traces',
      { plan: 'free_trial', kind: 'solo' },
      1050,
      'Free Trial includes 1,000 traces per month, and 1,050 are used. Upgrade to Starter for 200,000 traces per month.',
    ],
    [
      'traces',
      { plan: 'pro', kind: 'organization' },
      12_000_000,
      'Pro includes 2,000,000 traces per month, and 12,000,000 are used. Upgrade to Enterprise Plus for 25,000,000 traces per month.',
    ],
    [
      'traces',
      { plan: 'enterprise_plus', kind: 'organization' },
      26_250_000,
      'Enterprise Plus includes 25,000,000 traces per month, and 26,250,000 are used. No plan has a larger limit.',
    ],
    [
      'retention',
      { plan: 'free_trial', kind: 'solo' },
      1.02,
      'Free Trial keeps traces for 1 hour, and this one is over 1 hour old. Upgrade to Starter for 7 days.',
    ],
    [
      'retention',
      { plan: 'free_trial', kind: 'organization' },
      24 * 25,
      'Free Trial keeps traces for 1 hour, and this one is over 25 days old. Upgrade to Enterprise Basic for 30 days.',
    ],
    [
      'retention',
      { plan: 'starter', kind: 'solo' },
      24 * 7,
      'Starter keeps traces for 7 days, and this one is over 7 days old. No plan has a larger limit.',
    ],
    [
      'insights',
      { plan: 'pro', kind: 'organization' },
      0,
      'Pro does not include AI insights. Upgrade to Enterprise Plus for AI insights.',
    ],
  ] as const)('for the limit %s of %j with %d used', (gate, account, used, message) => {
    expect(checkLimit(gate, account, used)?.message).toBe(message);
  });
});

test('a plan limit is reached if one more item does not fit, and the error suggests the smallest plan whose limit is sufficient', () => {
  const account = fc
    .constantFrom('solo' as const, 'organization' as const)
    .chain((kind) => fc.record({ kind: fc.constant(kind), plan: fc.constantFrom(...LADDERS[kind]) }));
  const onLimit = fc
    .constantFrom(...Object.values(LIMITS).flatMap((limits) => Object.values(limits)))
    .chain((limit) => fc.constantFrom(Math.max(0, limit - 1), Math.max(0, limit), limit + 1));
  const used = fc.oneof(
    onLimit,
    fc.nat(60),
    fc.nat(30_000_000),
    fc.double({ min: 0, max: 2500, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...LIMIT_NAMES), account, used, (gate, { kind, plan }, used) => {
      const fits = (id: PlanId) => LIMITS[id][gate] === -1 || used < LIMITS[id][gate];
      const refusal = checkLimit(gate, { plan, kind }, used);
      if (fits(plan)) {
        expect(refusal).toBeUndefined();
        return;
      }
      const larger = LADDERS[kind].slice(LADDERS[kind].indexOf(plan) + 1);
      expect(refusal).toEqual({
        gate,
        limit: LIMITS[plan][gate],
        used,
        upgradeTo: larger.find(fits) ?? null,
        message: expect.not.stringMatching(/undefined|NaN|-1/),
      });
    }),
    { numRuns: 300 },
  );
});

test("a plan's features and its limit errors use the same words", () => {
  for (const id of PLAN_IDS) {
    const features = listFeatures(PLANS[id]).join('\n').toLowerCase();
    for (const gate of ['members', 'projects', 'traces', 'retention'] as const)
      expect(features).toContain(formatLimit(gate, getLimit(gate, id)));
    expect(features.includes('ai insights')).toBe(id === 'enterprise_plus');
  }
});
