import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { defineRoute } from '../http/route.ts';
import { PLAN_IDS } from './plans.ts';

/** Something that the owner is to know before it hurts; `message` is the banner's text. */
export const UsageNotice = z.object({
  /** `quota_80` and `quota_100`: so many percent of the month's traces are used. */
  kind: z.enum([
    'quota_80',
    'quota_100',
    'trial_ended',
    'plan_ended',
    'payment_failed',
    'disk_full',
    'traces_damaged',
    'clock_ahead',
  ]),
  message: z.string(),
  /** Since when it holds; null where that was not noted. */
  since: Instant.nullable(),
});
export type UsageNotice = z.infer<typeof UsageNotice>;

export const Usage = z.object({
  plan: z.enum(PLAN_IDS),
  /** Accepted in the month; deleting traces does not lower it. `limit` -1 is unlimited. */
  traces: z.object({ used: z.number(), limit: z.number() }),
  /** The month of the account's billing. */
  currentPeriodStart: Instant,
  currentPeriodEnd: Instant,
  /** Notices for a banner, the most severe first; empty for users who cannot act on them. */
  notices: z.array(UsageNotice),
});
export type Usage = z.infer<typeof Usage>;

export const usageRoutes = {
  read: defineRoute({
    method: 'GET',
    path: '/api/usage',
    summary:
      "What the caller's organization, or else the caller, has used of the month's traces, with what the owner should know",
    access: { by: 'session' },
    answer: z.object({ usage: Usage }),
    errors: [],
  }),
};
