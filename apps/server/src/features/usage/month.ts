import { addMonths } from '../../platform/months.ts';

/** A month of an account's billing. */
export interface Month {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
}

/**
 * The month in which an instant lies, counted from when the account's billing period began: from the 31st on, shorter months end on their last day.
 * A yearly subscription's quota is a month's, too.
 */
export function monthOf(anchor: Date, now: Date): Month {
  const estimate =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const months = addMonths(anchor, estimate) <= now ? estimate : estimate - 1;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}
