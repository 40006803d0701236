import { describe, expect, test } from 'vitest';
import {
  applyEvent,
  computeAccessEnd,
  type EventName,
  findDueEvent,
  type SubscriptionEvent,
  type SubscriptionState,
} from './subscription.ts';

const day = (text: string) => new Date(`2026-${text}T00:00:00Z`);
const period = { start: day('01-31'), end: day('02-28'), anchor: day('01-31') };
const later = { start: day('02-28'), end: day('03-31'), anchor: day('01-31') };
const terms = { plan: 'pro', cycle: 'monthly' } as const;
const other = { plan: 'enterprise_basic', cycle: 'yearly' } as const;
const paid = { terms, period } as const;

/** One state of each kind. */
const STATES = {
  trialing: { status: 'trialing', period },
  active: { status: 'active', ...paid, next: { kind: 'renewal' } },
  ending: { status: 'active', ...paid, next: { kind: 'end' } },
  changing: { status: 'active', ...paid, next: { kind: 'change', terms: other } },
  past_due: { status: 'past_due', ...paid, since: period.end, next: { kind: 'renewal' } },
  cancelled: { status: 'cancelled', ended: 'pro', period },
  expired: { status: 'expired', ended: null, period },
} as const satisfies Record<string, SubscriptionState>;
type StateName = keyof typeof STATES;

/** One event of each kind. */
const EVENTS: { readonly [N in EventName]: Extract<SubscriptionEvent, { name: N }> } = {
  trial_ends: { name: 'trial_ends' },
  subscribe: { name: 'subscribe', terms: other, period: later },
  change_plan: { name: 'change_plan', terms: other, period },
  schedule_change: { name: 'schedule_change', terms: other },
  cancel: { name: 'cancel' },
  reactivate: { name: 'reactivate' },
  renew: { name: 'renew', terms, period: later },
  payment_fails: { name: 'payment_fails', since: period.end },
  payment_recovers: { name: 'payment_recovers', terms, period: later },
  period_ends: { name: 'period_ends' },
  grace_ends: { name: 'grace_ends' },
  renewal_missing: { name: 'renewal_missing' },
  provider_ends: { name: 'provider_ends' },
};

/** The times that make a difference: before the period's end, at its end, and after the grace period. */
const TIMES = { during: day('02-10'), atEnd: period.end, afterGrace: day('03-07') } as const;
type TimeName = keyof typeof TIMES;
const [ALWAYS, ENDED, LATE] = [
  ['during', 'atEnd', 'afterGrace'],
  ['atEnd', 'afterGrace'],
  ['afterGrace'],
] as const;

/**
 * A second, hand-written definition of the state machine: the status to which each event leads, and at which times the event is possible.
 * All other events are refused.
 */
const TABLE: Readonly<
  Record<StateName, Partial<Record<EventName, readonly [SubscriptionState['status'], readonly TimeName[]]>>>
> = {
  trialing: { trial_ends: ['expired', ENDED], subscribe: ['active', ALWAYS] },
  active: {
    change_plan: ['active', ALWAYS],
    schedule_change: ['active', ALWAYS],
    cancel: ['active', ALWAYS],
    renew: ['active', ALWAYS],
    payment_fails: ['past_due', ALWAYS],
    renewal_missing: ['expired', LATE],
    provider_ends: ['cancelled', ALWAYS],
  },
  ending: {
    change_plan: ['active', ALWAYS],
    schedule_change: ['active', ALWAYS],
    reactivate: ['active', ALWAYS],
    renew: ['active', ALWAYS],
    payment_fails: ['past_due', ALWAYS],
    period_ends: ['cancelled', ENDED],
    provider_ends: ['cancelled', ALWAYS],
  },
  changing: {
    change_plan: ['active', ALWAYS],
    schedule_change: ['active', ALWAYS],
    cancel: ['active', ALWAYS],
    reactivate: ['active', ALWAYS],
    renew: ['active', ALWAYS],
    payment_fails: ['past_due', ALWAYS],
    renewal_missing: ['expired', LATE],
    provider_ends: ['cancelled', ALWAYS],
  },
  past_due: {
    payment_recovers: ['active', ALWAYS],
    cancel: ['cancelled', ALWAYS],
    grace_ends: ['expired', LATE],
    provider_ends: ['expired', ALWAYS],
  },
  cancelled: { subscribe: ['active', ALWAYS] },
  expired: { subscribe: ['active', ALWAYS] },
};

const cases = Object.entries(STATES).flatMap(([state, from]) =>
  Object.values(EVENTS).flatMap((event) =>
    Object.entries(TIMES).map(([time, now]) => ({ state, from, event, name: event.name, time, now })),
  ),
);

test('the table of cases contains every combination of state, event and time', () => {
  expect(cases).toHaveLength(7 * 13 * 3);
});

test.each(cases)(
  'at the time $time, a subscription that is $state gets the status in the table for the event $name, or refuses the event if the table does not allow it',
  ({ state, from, event, time, now }) => {
    const [status, times] = TABLE[state as StateName][event.name] ?? [undefined, []];
    const allowed = (times as readonly string[]).includes(time);
    expect(applyEvent(from, event, now)?.status).toBe(allowed ? status : undefined);
  },
);

describe('the due event', () => {
  const dues = (state: SubscriptionState) =>
    Object.values(TIMES).map((now) => findDueEvent(state, now)?.name);
  test.each<[StateName, (EventName | undefined)[]]>([
    ['trialing', [undefined, 'trial_ends', 'trial_ends']],
    ['active', [undefined, undefined, 'renewal_missing']],
    ['ending', [undefined, 'period_ends', 'period_ends']],
    ['changing', [undefined, undefined, 'renewal_missing']],
    ['past_due', [undefined, undefined, 'grace_ends']],
    ['cancelled', [undefined, undefined, undefined]],
    ['expired', [undefined, undefined, undefined]],
  ])(
    'for a subscription that is %s, before the end of the period, at this end, and after the grace period, is %j',
    (state, expected) => {
      expect(dues(STATES[state])).toEqual(expected);
    },
  );

  test('ends access at the scheduled time, even if the end is recorded late', () => {
    const year = day('12-31');
    for (const state of [STATES.trialing, STATES.active, STATES.ending, STATES.past_due]) {
      const due = findDueEvent(state, year);
      const after = due === undefined ? undefined : applyEvent(state, due, year);
      expect(after === undefined ? undefined : computeAccessEnd(after)).toEqual(computeAccessEnd(state));
    }
  });
});

test('a renewal that the server has already recorded changes nothing', () => {
  expect(applyEvent(STATES.active, { name: 'renew', terms, period }, day('02-10'))).toBeUndefined();
});

test('a subscription continues after a late renewal, a late change of plan or a late payment', () => {
  for (const name of ['renew', 'change_plan'] as const) {
    const after = applyEvent(STATES.changing, EVENTS[name], TIMES.atEnd);
    expect(after).toMatchObject({ status: 'active', next: { kind: 'renewal' } });
  }
  expect(applyEvent(STATES.past_due, EVENTS.payment_recovers, TIMES.atEnd)).toMatchObject({
    terms,
    period: later,
  });
});

test('an ended subscription keeps the name of its plan, but the plan is no longer in force', () => {
  expect(applyEvent(STATES.past_due, { name: 'cancel' }, day('03-01'))).toEqual({
    status: 'cancelled',
    ended: 'pro',
    period: { ...period, end: day('03-01') },
  });
});
