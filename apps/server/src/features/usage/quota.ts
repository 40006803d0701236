import {
  type AccountPlan,
  checkLimit,
  formatDay,
  getLimit,
  type PlanId,
  UNLIMITED,
} from '@throughline/contract';
import { AppError } from '../../platform/http/errors.ts';
import { toErrorDetails } from '../../platform/http/plan-limit-errors.ts';
import { computeMonth } from './month.ts';
import type { AccountId } from './store.ts';

/** The account by whose plan and billing month traces are counted. */
export interface Quota extends AccountPlan {
  readonly accountId: AccountId;
  readonly periodAnchor: Date;
}

/** Share of the limit that is accepted in addition to the limit, so that a short peak does not block the last minutes of a month. */
const BURST = 0.05;

/** Returns the maximum number of traces accepted per month, including the burst; undefined if there is no limit. */
export function computeHardLimit(plan: PlanId): number | undefined {
  const limit = getLimit('traces', plan);
  return limit === UNLIMITED ? undefined : Math.floor(limit * (1 + BURST));
}

/** Percentages of the month's quota at which the owner is notified. */
export const NOTICE_LEVELS = [80, 100] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

export function hasReached(level: NoticeLevel, traces: number, plan: PlanId): boolean {
  const limit = getLimit('traces', plan);
  return limit !== UNLIMITED && traces * 100 >= limit * level;
}

/** True if both quotas have the same plan and the same billing months. */
export function isSameQuota(a: Quota, b: Quota): boolean {
  return a.plan === b.plan && a.periodAnchor.getTime() === b.periodAnchor.getTime();
}

/**
 * Builds the error for traces of which none fits into the month's quota. The error's Retry-After is the time until the end of the month.
 */
export function buildQuotaError(quota: Quota, used: number, now: Date): AppError {
  const refusal = checkLimit('traces', quota, used);
  if (refusal === undefined)
    throw new Error(`no quota error: ${used} traces are within the quota of the plan ${quota.plan}`);
  const { end } = computeMonth(quota.periodAnchor, now);
  const message = `${refusal.message} The quota is reset on ${formatDay(end)}.`;
  return new AppError('quota_exceeded', message, {
    details: toErrorDetails(refusal),
    retryAfterSeconds: (end.getTime() - now.getTime()) / 1000,
  });
}
