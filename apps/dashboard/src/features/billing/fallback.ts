import { listFeatures, PLANS, type Subscription } from '@throughline/contract';

const DAY_MS = 86_400_000;

/** Builds the subscription to show a solo user if the real subscription cannot be loaded: a free trial without projects and traces. */
export function buildFallbackSubscription(now: Date): Subscription {
  const plan = PLANS.free_trial;
  const end = new Date(now.getTime() + (plan.trialDays ?? 0) * DAY_MS).toISOString();
  return {
    id: '00000000-0000-0000-0000-000000000000',
    plan: plan.id,
    status: 'trialing',
    billingCycle: 'monthly',
    currentPeriodStart: now.toISOString(),
    currentPeriodEnd: end,
    cancelAtPeriodEnd: false,
    nextPlan: null,
    endedPlan: null,
    graceEndsAt: null,
    nextPayment: null,
    price: { monthly: plan.price, yearly: plan.price },
    usage: {
      teamMembers: { used: 1, limit: plan.maxMembers },
      projects: { used: 0, limit: plan.maxProjects },
      traces: { used: 0, limit: plan.maxTracesPerMonth },
    },
    usagePeriodStart: now.toISOString(),
    usagePeriodEnd: end,
    projectedTraces: null,
    planDetails: { features: listFeatures(plan) },
    payment: {
      provider: 'sandbox',
      chosenBy: 'account',
      label: null,
      portal: false,
      testClock: false,
    },
  };
}
