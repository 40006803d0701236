import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { BILLING_CYCLES, PLAN_IDS, PLANS } from './plans.ts';

/** `active` with `cancelAtPeriodEnd` until its period ends, then `cancelled`; a trial that is over, and what was not paid in time, is `expired`. */
export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Days that a plan stays in force after a payment failed. */
export const GRACE_DAYS = 7;

const Amount = z.object({ used: z.number(), limit: z.number() });
const Price = z.object({ monthly: z.number(), yearly: z.number() });

/** A plan as the screens show it; prices in US dollars, `-1` is unlimited. */
export const PlanOffer = z.object({
  id: z.enum(PLAN_IDS),
  name: z.string(),
  price: Price,
  maxMembers: z.number(),
  maxProjects: z.number(),
  maxTracesPerMonth: z.number(),
  retentionHours: z.number(),
  aiInsights: z.boolean(),
  popular: z.boolean(),
  /** Features in words. */
  features: z.array(z.string()),
});
export type PlanOffer = z.infer<typeof PlanOffer>;

export const Subscription = z.object({
  id: z.uuid(),
  /** The plan whose limits hold now. */
  plan: z.enum(PLAN_IDS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  billingCycle: z.enum(BILLING_CYCLES),
  currentPeriodStart: Instant,
  currentPeriodEnd: Instant,
  cancelAtPeriodEnd: z.boolean(),
  /** Plan of the next period; null: the same plan. */
  nextPlan: z.object({ plan: z.enum(PLAN_IDS), billingCycle: z.enum(BILLING_CYCLES) }).nullable(),
  /** The plan that was paid for before the subscription ended; null where it has not ended, or was a trial. */
  endedPlan: z.enum(PLAN_IDS).nullable(),
  /** When a plan whose payment failed ends, unless it is paid; null where nothing failed. */
  graceEndsAt: Instant.nullable(),
  /** When something is charged next, and how much, in US dollars; null where nothing is. */
  nextPayment: z.object({ at: Instant, amount: z.number() }).nullable(),
  price: Price,
  /** `traces` are those of the month of usage, from `usagePeriodStart` to `usagePeriodEnd`. */
  usage: z.object({ teamMembers: Amount, projects: Amount, traces: Amount }),
  usagePeriodStart: Instant,
  usagePeriodEnd: Instant,
  /** Projected traces at the end of the month, at the present rate; null while the month is too young to tell. */
  projectedTraces: z.number().nullable(),
  planDetails: z.object({ features: z.array(z.string()) }),
  payment: z.object({
    /** `operator`: nobody pays, and the server's operator sets plans. */
    provider: z.enum(['sandbox', 'stripe', 'operator']),
    /** Who can choose another plan: the account here, or the server's operator alone. */
    chosenBy: z.enum(['account', 'operator']),
    /** Notice beside every payment; null where there is none. */
    label: z.string().nullable(),
    /** True where the provider has pages for cards, addresses and VAT ids. */
    portal: z.boolean(),
    /** True where the end of the period can be triggered for tests: in the sandbox, in development. */
    testClock: z.boolean(),
  }),
});
export type Subscription = z.infer<typeof Subscription>;

/** Tells that somebody goes on paying: such a subscription is cancelled before the account is deleted. */
export function isPaidFor({ plan, cancelAtPeriodEnd, payment }: Subscription): boolean {
  return PLANS[plan].price > 0 && !cancelAtPeriodEnd && payment.provider !== 'operator';
}

/** Cost of a change of plan, before it is confirmed. */
export const ChangePreview = z.object({
  /** `now`, or with the next period. */
  takesEffect: z.enum(['now', 'at_period_end']),
  at: Instant,
  /** US dollars, charged when it takes effect. */
  dueAmount: z.number(),
  /** US dollars a period from then on. */
  price: z.number(),
  billingCycle: z.enum(BILLING_CYCLES),
  lines: z.array(z.object({ description: z.string(), amount: z.number() })),
});
export type ChangePreview = z.infer<typeof ChangePreview>;

export const Invoice = z.object({
  id: z.string(),
  number: z.string(),
  at: Instant,
  description: z.string(),
  /** US dollars. */
  amount: z.number(),
  status: z.enum(['paid', 'open', 'void']),
  /** The provider's document; null where the server makes it: see the call for one invoice's document. */
  pdfUrl: z.string().nullable(),
});
export type Invoice = z.infer<typeof Invoice>;
