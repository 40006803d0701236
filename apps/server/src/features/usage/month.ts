import { addMonths } from '../../platform/months.ts';

/** A month of an account's billing. */
export interface Month {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
}

/**
 * Returns the billing month that contains `now`, counted from the start of the billing period. For a start on the 31st, shorter months end on their
 * last day. Yearly subscriptions have monthly quotas, too.
 */
export function monthOf(anchor: Date, now: Date): Month {
  const estimate =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const months = addMonths(anchor, estimate) <= now ? estimate : estimate - 1;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}
