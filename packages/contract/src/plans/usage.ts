import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { defineRoute } from '../http/route.ts';
import { PLAN_IDS } from './plans.ts';

/**
 * A warning for the owner, sent before a limit or an ended plan stops ingest; `message` is the banner's text.
 */
export const UsageNotice = z.object({
  /** `quota_80` and `quota_100`: percent of the month's trace quota that is used. */
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
  /** When the condition began; null if the time was not recorded. */
  since: Instant.nullable(),
});
export type UsageNotice = z.infer<typeof UsageNotice>;

export const Usage = z.object({
  plan: z.enum(PLAN_IDS),
  /** Traces accepted in the month; deleting traces does not lower the count. `limit` -1 is unlimited. */
  traces: z.object({ used: z.number(), limit: z.number() }),
  /** The account's billing month. */
  currentPeriodStart: Instant,
  currentPeriodEnd: Instant,
  /** Notices for a banner, most severe first; empty for users who cannot act on them. */
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
