import { DIGEST_HOUR_UTC, formatDay } from '@throughline/contract';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 5 January 1970, the first Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The seven days that a digest is about. */
export interface Week {
  /** The Monday on which the week ends, as in `2026-11-30`. */
  readonly name: string;
  readonly from: Date;
  /** The end of the week, at which the digest is due. */
  readonly until: Date;
}

/**
 * From Monday at 8:00 UTC until the end of Sunday, returns the week that ended on this Monday. Returns undefined in the first hours of
 * Monday, so that a server that was down never sends a digest that is a week old.
 */
export function findDueWeek(now: Date): Week | undefined {
  const sinceMonday = (now.getTime() - FIRST_MONDAY_MS) % WEEK_MS;
  const monday = now.getTime() - sinceMonday;
  const until = monday + DIGEST_HOUR_UTC * HOUR_MS;
  if (now.getTime() < until) return undefined;
  return {
    name: formatDay(new Date(monday)),
    from: new Date(until - WEEK_MS),
    until: new Date(until),
  };
}

export function findWeekBefore({ from }: Week): { readonly from: Date; readonly until: Date } {
  return { from: new Date(from.getTime() - WEEK_MS), until: from };
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Formats a week as in `23 November to 30 November 2026`. */
export function formatWeek({ from, until }: Week): string {
  return `${DAY.format(from)} to ${DAY.format(until)} ${until.getUTCFullYear()}`;
}
