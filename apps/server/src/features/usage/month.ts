import { addMonths } from '../../platform/months.ts';

/** A billing month of an account. */
export interface Month {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
}

/**
 * Returns the billing month that contains `now`. Months are counted from the start of the billing period. If the period starts on the
 * 31st, billing months begin on the last day of shorter calendar months. Yearly subscriptions also have monthly quotas.
 */
export function computeMonth(anchor: Date, now: Date): Month {
  const estimate =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const months = addMonths(anchor, estimate) <= now ? estimate : estimate - 1;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}
