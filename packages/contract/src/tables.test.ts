import { describe, expect, it } from 'vitest';
import { type Action, mayDo, ROLES, type Role } from './accounts/roles.ts';
import { chooseDurationTone, chooseMethodTone, chooseStatusTone, isErrorTrace } from './format/colours.ts';
import {
  formatAverage,
  formatDuration,
  formatMegabytes,
  formatRate,
  maskApiKey,
  shortenTraceId,
} from './format/formats.ts';
import { fitsLimit, listPlansOfKind, nextPlan, PLANS, readPlanId, UNLIMITED } from './plans/plans.ts';

describe('plans', () => {
  it('match the price list', () => {
    const rows = Object.values(PLANS).map((plan) => [
      plan.id,
      plan.price,
      plan.maxMembers,
      plan.maxProjects,
      plan.maxTracesPerMonth,
      plan.retentionHours,
    ]);
    expect(rows).toEqual([
      ['free_trial', 0, 1, 1, 1_000, 1],
      ['starter', 19, 1, 2, 200_000, 168],
      ['solo_developer', 49, 1, 5, 500_000, 168],
      ['pro', 149, 15, 5, 2_000_000, 504],
      ['enterprise_basic', 499, 25, UNLIMITED, 10_000_000, 720],
      ['enterprise_plus', 799, 50, UNLIMITED, 25_000_000, 2160],
    ]);
    expect(
      Object.values(PLANS)
        .filter((plan) => plan.popular)
        .map((plan) => plan.id),
    ).toEqual(['pro']);
    expect(
      Object.values(PLANS)
        .filter((plan) => plan.aiInsights)
        .map((plan) => plan.id),
    ).toEqual(['enterprise_plus']);
  });

  it('the next plan is of the same kind, and the largest plan has no next plan', () => {
    expect(nextPlan('free_trial', 'organization')?.id).toBe('pro');
    expect(nextPlan('free_trial', 'solo')?.id).toBe('starter');
    expect(nextPlan('solo_developer', 'solo')).toBeUndefined();
    expect(nextPlan('enterprise_plus', 'organization')).toBeUndefined();
    expect(listPlansOfKind('solo').map((plan) => plan.id)).toEqual([
      'free_trial',
      'starter',
      'solo_developer',
    ]);
  });

  it('`free` is parsed as the free trial, and an unknown id is rejected', () => {
    expect(readPlanId('free')).toBe('free_trial');
    expect(readPlanId('gold')).toBeUndefined();
  });

  it('a limit of -1 is never reached', () => {
    expect([fitsLimit(1, 0), fitsLimit(1, 1), fitsLimit(UNLIMITED, 1e9)]).toEqual([true, false, true]);
  });
});

describe('roles', () => {
  const may = (action: Action): Role[] => ROLES.filter((role) => mayDo(role, action));
  it.each<[Action, Role[]]>([
    ['traces.read', ['solo', 'owner', 'admin', 'developer']],
    ['projects.create', ['solo', 'owner', 'admin']],
    ['key.read', ['solo', 'owner', 'admin', 'developer']],
    ['key.regenerate', ['solo', 'owner', 'admin']],
    ['members.list', ['owner', 'admin', 'developer']],
    ['members.manage', ['owner']],
    ['billing.manage', ['solo', 'owner']],
    ['account.delete', ['solo', 'owner']],
  ])('that allow the action %s are exactly: %j', (action, roles) => expect(may(action)).toEqual(roles));
});

describe('formats', () => {
  it.each([
    [0, '0 ms'],
    [0.0002, '< 1 µs'],
    [0.002, '2 µs'],
    [0.042, '42 µs'],
    [0.25, '250 µs'],
    [0.9994, '999 µs'],
    [0.9996, '1.0 ms'],
    [3.14, '3.1 ms'],
    [12.345, '12 ms'],
    [999, '999 ms'],
    [999.7, '1.00 s'],
    [1000, '1.00 s'],
    [1214, '1.21 s'],
  ])('show a duration of %d ms in a suitable unit', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it('averages, rates, memory sizes, ids and keys are formatted', () => {
    expect(formatAverage(3.6)).toBe('4 ms');
    expect(formatRate(98.76)).toBe('98.8 %');
    expect(formatMegabytes(51_234_567)).toBe('51.2 MB');
    expect(shortenTraceId('0123456789abcdef0123456789abcdef')).toBe('01234567');
    expect(maskApiKey(`tl_${'x'.repeat(36)}abcd`)).toBe('tl_••••••••abcd');
  });
});

describe('colours', () => {
  it('methods have colours', () => {
    expect(['GET', 'post', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map(chooseMethodTone)).toEqual([
      'blue',
      'green',
      'amber',
      'red',
      'purple',
      'grey',
    ]);
  });
  it('statuses and durations have colours', () => {
    expect([200, 302, 404, 500, null, 101].map(chooseStatusTone)).toEqual([
      'green',
      'amber',
      'red',
      'darkRed',
      'darkRed',
      'grey',
    ]);
    expect([500, 500.1, 1000, 1000.1].map(chooseDurationTone)).toEqual(['green', 'amber', 'amber', 'red']);
  });
  it('a request counts as failed if its status is 400 or more, or missing, or if its error flag is set', () => {
    expect([
      isErrorTrace(399, false),
      isErrorTrace(400, false),
      isErrorTrace(null, false),
      isErrorTrace(200, true),
    ]).toEqual([false, true, true, true]);
  });
});
