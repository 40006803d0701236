import { expect, test } from 'vitest';
import type { SubscriptionState } from '../subscription.ts';
import { inferEvents, type Report } from './report.ts';

const day = (text: string) => new Date(`2026-${text}T00:00:00Z`);
const period = { start: day('01-31'), end: day('02-28'), anchor: day('01-31') };
const later = { start: day('02-28'), end: day('03-31'), anchor: day('01-31') };
const terms = { plan: 'starter', cycle: 'monthly' } as const;
const larger = { plan: 'solo_developer', cycle: 'monthly' } as const;
const renewal = { kind: 'renewal' } as const;
const end = { kind: 'end' } as const;
const change = { kind: 'change', terms: larger } as const;
const active = { status: 'active', terms, period, next: renewal } as const;
const pastDue = { ...active, status: 'past_due', since: day('02-28') } as const;
const expired = { status: 'expired', ended: 'starter', period } as const;
const trialing = { status: 'trialing', period } as const;
const paid = { status: 'paid', terms, period, next: renewal } as const;

test.each<[string, SubscriptionState, Report, string, string[]]>([
  ['the same as is known', active, paid, '02-01', []],
  ['a first payment', trialing, paid, '02-01', ['subscribe']],
  ['a first payment that is to end', trialing, { ...paid, next: end }, '02-01', ['subscribe', 'cancel']],
  ['the next period', active, { ...paid, period: later }, '03-01', ['renew']],
  [
    'the next period with another plan',
    { ...active, next: change },
    { ...paid, terms: larger, period: later },
    '03-01',
    ['renew'],
  ],
  ['another plan', active, { ...paid, terms: larger }, '02-01', ['change_plan']],
  ['another plan, to end', active, { ...paid, terms: larger, next: end }, '02-01', ['change_plan', 'cancel']],
  ['an end', active, { ...paid, next: end }, '02-01', ['cancel']],
  ['an end that was taken back', { ...active, next: end }, paid, '02-01', ['reactivate']],
  ['a change that waits', active, { ...paid, next: change }, '02-01', ['schedule_change']],
  ['a change that is known', { ...active, next: change }, { ...paid, next: change }, '02-01', []],
  ['a payment that failed', active, { status: 'unpaid', since: day('02-28') }, '03-01', ['payment_fails']],
  ['a failure that is known', pastDue, { status: 'unpaid', since: day('02-28') }, '03-01', []],
  ['a late payment', pastDue, { ...paid, period: later }, '03-01', ['payment_recovers']],
  ['a payment after the end', expired, { ...paid, period: later }, '03-20', ['subscribe']],
  [
    'an end that the account requested',
    { ...active, next: end },
    { status: 'ended', isRequested: false },
    '03-01',
    ['period_ends'],
  ],
  [
    'an end that nobody requested',
    active,
    { status: 'ended', isRequested: false },
    '02-01',
    ['provider_ends'],
  ],
  [
    'an end of what was not paid',
    pastDue,
    { status: 'ended', isRequested: false },
    '03-01',
    ['provider_ends'],
  ],
  [
    'a cancellation of what was not paid',
    pastDue,
    { status: 'ended', isRequested: true },
    '03-01',
    ['cancel'],
  ],
  ['an end that is known', expired, { status: 'ended', isRequested: false }, '03-01', []],
  [
    'what is over by now and was to end',
    { ...active, next: end },
    { ...paid, next: end },
    '03-01',
    ['period_ends'],
  ],
  ['what ended here, and there not yet', expired, { ...paid, next: end }, '03-01', []],
  ['an old period of what ended for want of news', expired, paid, '03-20', []],
  ['nothing', trialing, { status: 'none' }, '02-01', []],
])(
  'a report of the payment provider is translated to subscription events: %s',
  (_what, state, report, now, expected) => {
    expect(inferEvents(state, report, day(now)).map(({ name }) => name)).toEqual(expected);
  },
);
