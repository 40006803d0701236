import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { PLAN_IDS } from './plans.ts';

/** A warning about the account's quota or plan, or about the server's disk, traces or clock. `message` is the banner's text. */
export const UsageNotice = z.object({
  /** `quota_80` and `quota_100`: 80 % or 100 % of the month's trace quota is used. */
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
  /** When the condition that the notice reports began; null if the time was not recorded. */
  since: Instant.nullable(),
});
export type UsageNotice = z.infer<typeof UsageNotice>;

export const Usage = z.object({
  plan: z.enum(PLAN_IDS),
  /** Number of traces accepted in the month. Deleting traces does not lower it. A `limit` of -1 is unlimited. */
  traces: z.object({ used: z.number(), limit: z.number() }),
  /** Start of the account's billing month. */
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
      "Trace usage of the current month for the caller's organization, or for a solo user, with notices for the owner",
    access: { by: 'session' },
    answer: z.object({ usage: Usage }),
    errors: [],
  }),
};
