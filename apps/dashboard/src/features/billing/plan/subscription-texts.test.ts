import type { Subscription } from '@throughline/contract';
import { expect, it } from 'vitest';
import { buildFallbackSubscription } from '../fallback.ts';
import { describeStanding, formatDollars, splitAtDays } from './subscription-texts.ts';

it.each([
  [0, '$0'],
  [149, '$149'],
  [1490, '$1,490'],
  [12.3, '$12.30'],
  [-4.5, '−$4.50'],
])('%d dollars are shown as %s', (amount, text) => expect(formatDollars(amount)).toBe(text));

it('a subscription has a notice if it ends, has ended, changes or awaits payment, and no notice if it continues unchanged', () => {
  const trial = buildFallbackSubscription(new Date('2026-01-01T12:00:00Z'));
  const active: Subscription = { ...trial, plan: 'pro', status: 'active' };
  expect(describeStanding(active)).toBeUndefined();
  expect(describeStanding({ ...active, status: 'past_due' })).toBeUndefined();
  expect(describeStanding(trial)).toContain('The trial ends on 2026-01-08');
  expect(describeStanding({ ...active, cancelAtPeriodEnd: true })).toContain('stays active until 2026-01-08');
  expect(
    describeStanding({ ...active, status: 'past_due', graceEndsAt: '2026-01-15T12:00:00.000Z' }),
  ).toContain('ends on 2026-01-15');
  expect(describeStanding({ ...trial, status: 'expired' })).toContain('Ended on 2026-01-08');
  expect(describeStanding({ ...active, nextPlan: { plan: 'pro', billingCycle: 'yearly' } })).toContain(
    'changes on 2026-01-08',
  );
});

it('the notice never asks the user to choose a plan if the operator sets plans', () => {
  const trial = buildFallbackSubscription(new Date('2026-01-01T12:00:00Z'));
  const given: Subscription = { ...trial, payment: { ...trial.payment, chosenBy: 'operator' } };
  for (const status of ['trialing', 'expired', 'cancelled'] as const)
    expect(describeStanding({ ...given, status })).not.toMatch(/choose/i);
});

it('splitting a string at its dates loses no characters', () => {
  const text = 'Pro (monthly), 2026-11-22 to 2026-12-22';
  expect(splitAtDays(text)).toEqual(['Pro (monthly), ', '2026-11-22', ' to ', '2026-12-22', '']);
  expect(splitAtDays('no day')).toEqual(['no day']);
});
