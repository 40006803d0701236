import { type GatedAccount, getLimit, type PlanId, refusalAtGate, UNLIMITED } from '@throughline/contract';
import { AppError } from '../../platform/http/errors.ts';
import { detailsOfGate } from '../../platform/http/gates.ts';
import { monthOf } from './month.ts';
import type { AccountId } from './store.ts';

/** Whose traces are counted, by which plan, and since when its months are. */
export interface Quota extends GatedAccount {
  readonly accountId: AccountId;
  readonly periodAnchor: Date;
}

/** A short burst beyond the month's traces is let through, so that nobody loses the last minutes of a month for a peak. */
const BURST = 0.05;

/** Beyond so many traces a month nothing is accepted; undefined where there is no limit. */
export function hardLimit(plan: PlanId): number | undefined {
  const limit = getLimit('traces', plan);
  return limit === UNLIMITED ? undefined : Math.floor(limit * (1 + BURST));
}

/** The shares of the month's traces, in percent, at which the owner is told. */
export const NOTICE_LEVELS = [80, 100] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

export function hasReached(level: NoticeLevel, traces: number, plan: PlanId): boolean {
  const limit = getLimit('traces', plan);
  return limit !== UNLIMITED && traces * 100 >= limit * level;
}

/** Whether the same traces fit both: of the same plan, in the same months. */
export function isSameQuota(a: Quota, b: Quota): boolean {
  return a.plan === b.plan && a.periodAnchor.getTime() === b.periodAnchor.getTime();
}

/** The refusal of traces of which none fits any more, with Retry-After to the month's end. */
export function quotaExceeded(quota: Quota, used: number, now: Date): AppError {
  const refusal = refusalAtGate('traces', quota, used);
  if (refusal === undefined) throw new Error(`${used} traces are no more than ${quota.plan} includes`);
  const { end } = monthOf(quota.periodAnchor, now);
  const message = `${refusal.message} The next month begins on ${end.toISOString().slice(0, 10)}.`;
  return new AppError('quota_exceeded', message, {
    details: detailsOfGate(refusal),
    retryAfterSeconds: (end.getTime() - now.getTime()) / 1000,
  });
}
