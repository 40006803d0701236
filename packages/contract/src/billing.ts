import { z } from 'zod';
import { Instant } from './instants.ts';
import { PLAN_IDS, readPlanId } from './plans.ts';
import { defineRoute } from './route.ts';
import { SUBSCRIPTION_STATUSES } from './subscriptions.ts';

/** A plan's id; `free` is read as `free_trial`. */
const PlanChoice = z.string().transform((text, context) => {
  const plan = readPlanId(text);
  if (plan !== undefined) return plan;
  context.addIssue({ code: 'custom', message: `Plan must be one of ${PLAN_IDS.join(', ')}` });
  return z.NEVER;
});

export const OrganizationSubscription = z.object({
  id: z.uuid(),
  plan: z.enum(PLAN_IDS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  currentPeriodStart: Instant,
  currentPeriodEnd: Instant,
});
export type OrganizationSubscription = z.infer<typeof OrganizationSubscription>;

const OneSubscription = z.object({ subscription: OrganizationSubscription });
const IdParams = z.object({ id: z.string() });
const access = { by: 'session', action: 'billing.manage', on: 'organization' } as const;

export const billingRoutes = {
  organizationSubscription: defineRoute({
    method: 'GET',
    path: '/api/billing/:id/subscription',
    summary: "An organization's subscription",
    access,
    params: IdParams,
    answer: OneSubscription,
    errors: ['forbidden', 'not_found'],
  }),
  changeOrganizationPlan: defineRoute({
    method: 'PUT',
    path: '/api/billing/:id/subscription/plan',
    summary: "Change an organization's plan",
    access,
    params: IdParams,
    body: z.object({ plan: PlanChoice }),
    answer: OneSubscription,
    errors: ['validation_failed', 'forbidden', 'not_found', 'plan_not_available', 'plan_limit'],
  }),
};
