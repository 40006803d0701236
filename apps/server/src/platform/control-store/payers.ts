import { type PlanId, planRank } from '@throughline/contract';
import { eq, or } from 'drizzle-orm';
import { subscriptions } from './tables/billing-tables.ts';
import { projects } from './tables/schema.ts';

/** Joins a project with the subscription that pays for it: its only owner's, or its organization's. */
export const paysForProject = or(
  eq(subscriptions.userId, projects.userId),
  eq(subscriptions.organizationId, projects.organizationId),
);

/** Columns of a subscription that decide which plan is in force; all null where there is no subscription. */
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

/** The plan whose limits hold at an instant: one that has ended leaves those of the free trial, even before anything noted its end. */
export function planInForce(row: Omit<PlanRow, 'nextPlan'> | undefined, now: Date): PlanId {
  if (row === undefined || row.plan === null || row.accessEndsAt === null) return 'free_trial';
  return row.accessEndsAt > now ? row.plan : 'free_trial';
}

/** The plan that what is added must fit. */
export interface PlanToFit {
  readonly plan: PlanId;
  /** The larger plan that is in force until `plan` follows it. */
  readonly planBefore?: PlanId;
}

/** A smaller plan that is to begin with the next period counts already. */
export function planToFit(row: PlanRow | undefined, now: Date): PlanToFit {
  const plan = planInForce(row, now);
  const next = row?.nextPlan ?? null;
  return next !== null && planRank(next) < planRank(plan) ? { plan: next, planBefore: plan } : { plan };
}
