import { z } from 'zod';
import { Instant } from '../instants/instants.ts';
import { BILLING_CYCLES, PLAN_IDS, PLANS } from './plans.ts';

/**
 * `active` with `cancelAtPeriodEnd`: cancelled, but the paid period has not ended. `cancelled`: the paid period has ended, or the
 * subscription was ended immediately.
 * `expired`: a trial that ended, or a subscription that was not paid in time.
 */
export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Number of days for which a plan stays in force after a failed payment. */
export const GRACE_DAYS = 7;

const Amount = z.object({ used: z.number(), limit: z.number() });
const Price = z.object({ monthly: z.number(), yearly: z.number() });

/** A plan as screens show it. Prices are in US dollars, and `-1` is unlimited. */
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
  /** Features as display texts. */
  features: z.array(z.string()),
});
export type PlanOffer = z.infer<typeof PlanOffer>;

export const Subscription = z.object({
  id: z.uuid(),
  /** The plan whose limits are in force. */
  plan: z.enum(PLAN_IDS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  billingCycle: z.enum(BILLING_CYCLES),
  currentPeriodStart: Instant,
  currentPeriodEnd: Instant,
  cancelAtPeriodEnd: z.boolean(),
  /** Plan of the next period; null if no change of plan is scheduled. */
  nextPlan: z.object({ plan: z.enum(PLAN_IDS), billingCycle: z.enum(BILLING_CYCLES) }).nullable(),
  /** The paid plan of a subscription that has ended; null if it has not ended, or was a trial. */
  endedPlan: z.enum(PLAN_IDS).nullable(),
  /** When the plan ends after a failed payment, unless the user pays before then; null if no payment failed. */
  graceEndsAt: Instant.nullable(),
  /** Date and amount, in US dollars, of the next payment, or of the payment that failed; null if none will be due. */
  nextPayment: z.object({ at: Instant, amount: z.number() }).nullable(),
  price: Price,
  /** Usage by resource. `traces` is the number of traces in the usage month, from `usagePeriodStart` to `usagePeriodEnd`. */
  usage: z.object({ teamMembers: Amount, projects: Amount, traces: Amount }),
  usagePeriodStart: Instant,
  usagePeriodEnd: Instant,
  /** Number of traces at the end of the month if the current rate continues; null while it is too early in the month to tell. */
  projectedTraces: z.number().nullable(),
  planDetails: z.object({ features: z.array(z.string()) }),
  payment: z.object({
    /** `operator`: nobody pays, and the server's operator sets the accounts' plans. */
    provider: z.enum(['sandbox', 'stripe', 'operator']),
    /** `account`: the user can change the plan on the dashboard. `operator`: only the server's operator can. */
    chosenBy: z.enum(['account', 'operator']),
    /** Notice shown next to every payment; null if there is none. */
    label: z.string().nullable(),
    /** True if the payment provider knows the account, and has pages on which users manage cards, addresses and VAT ids. */
    portal: z.boolean(),
    /** True if tests can end the period early. This is possible in development, with the sandbox, until the subscription has ended. */
    testClock: z.boolean(),
  }),
});
export type Subscription = z.infer<typeof Subscription>;

/** True if the subscription would be charged again. The user must cancel it before they delete the account. */
export function isPaidFor({ plan, cancelAtPeriodEnd, payment }: Subscription): boolean {
  return PLANS[plan].price > 0 && !cancelAtPeriodEnd && payment.provider !== 'operator';
}

/** Cost of a plan change. The user sees it before they confirm the change. */
export const ChangePreview = z.object({
  /** When the change takes effect: `now`, or at the start of the next period. */
  takesEffect: z.enum(['now', 'at_period_end']),
  at: Instant,
  /** Amount in US dollars that is charged when the change takes effect. */
  dueAmount: z.number(),
  /** Price in US dollars per period after the change. */
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
  /** URL of the payment provider's PDF; null if this server generates the PDF, at a separate route. */
  pdfUrl: z.string().nullable(),
});
export type Invoice = z.infer<typeof Invoice>;
