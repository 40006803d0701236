import { type PlanId, planRank } from '@throughline/contract';
import { eq, or } from 'drizzle-orm';
import { subscriptions } from '../tables/billing-tables.ts';
import { projects } from '../tables/schema.ts';

/**
 * The condition that joins a project with the subscription that pays for the project: the solo user's or the organization's subscription.
 */
export const paysForProject = or(
  eq(subscriptions.userId, projects.userId),
  eq(subscriptions.organizationId, projects.organizationId),
);

/** Columns of the subscription that determine the plan in force. All are null if there is no subscription. */
export const planColumns = {
  plan: subscriptions.plan,
  nextPlan: subscriptions.nextPlan,
  accessEndsAt: subscriptions.accessEndsAt,
} as const;

export interface PlanRow {
  readonly plan: PlanId | null;
  readonly nextPlan: PlanId | null;
  readonly accessEndsAt: Date | null;
}

/**
 * Returns the plan in force at a given time. An ended plan is treated as the free trial, even before the
 * store records its end.
 */
export function planInForce(row: Omit<PlanRow, 'nextPlan'> | undefined, now: Date): PlanId {
  if (row === undefined || row.plan === null || row.accessEndsAt === null) return 'free_trial';
  return row.accessEndsAt > now ? row.plan : 'free_trial';
}

/** The plan whose limits apply to a new project, member or other item. */
export interface PlanToFit {
  readonly plan: PlanId;
  /** The larger plan that is still in force until `plan` begins; absent if there is none. */
  readonly planBefore?: PlanId;
}

/** Returns the plan whose limits new items must fit. If a smaller plan begins with the next period, its limits already apply. */
export function planToFit(row: PlanRow | undefined, now: Date): PlanToFit {
  const plan = planInForce(row, now);
  const next = row?.nextPlan ?? null;
  return next !== null && planRank(next) < planRank(plan) ? { plan: next, planBefore: plan } : { plan };
}
