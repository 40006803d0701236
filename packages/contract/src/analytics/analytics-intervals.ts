const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Possible intervals of a time series. */
export const ANALYTICS_INTERVALS = ['second', 'minute', 'fiveMinutes', 'quarterHour', 'hour', 'day'] as const;
export type AnalyticsInterval = (typeof ANALYTICS_INTERVALS)[number];

/** Length of each interval in milliseconds. A day is 24 hours here; a calendar day can be an hour shorter or longer. */
export const INTERVAL_MS: { readonly [interval in AnalyticsInterval]: number } = {
  second: SECOND_MS,
  minute: MINUTE_MS,
  fiveMinutes: 5 * MINUTE_MS,
  quarterHour: 15 * MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};

/** Intervals, shortest first, and the longest range in milliseconds for which each interval is used. Longer ranges use `day`. */
const LONGEST = [
  ['second', 2 * MINUTE_MS],
  ['minute', 2 * HOUR_MS],
  ['fiveMinutes', 12 * HOUR_MS],
  // The day on which daylight saving time ends has 25 hours.
  ['quarterHour', DAY_MS + HOUR_MS],
  ['hour', 8 * DAY_MS],
] as const;

/** Chooses the interval for a range of this length in milliseconds. */
export function chooseInterval(rangeMs: number): AnalyticsInterval {
  return LONGEST.find(([, longest]) => rangeMs <= longest)?.[0] ?? 'day';
}
