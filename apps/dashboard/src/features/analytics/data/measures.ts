import { formatCount, formatDuration, formatMegabytes, formatRate } from '@throughline/contract';
import type { Measure } from '../../../visuals/plots/series/series.ts';

/**
 * The units of charts, with functions that format a value. They are constants, because a new object with the same content would render a
 * chart again.
 */
export const REQUESTS: Measure = { unit: 'requests', write: formatAmount };
export const COUNT: Measure = { unit: 'count', write: formatAmount };
export const DURATION: Measure = { unit: 'ms', write: formatDuration };
export const RATE: Measure = { unit: '%', write: formatRate };
export const MEMORY: Measure = { unit: 'bytes', write: formatMegabytes };

/** Formats a count, or the value of an axis tick, which can be a fraction. */
function formatAmount(count: number): string {
  return Number.isInteger(count) ? formatCount(count) : count.toFixed(1);
}

/** Formats a percentage. Returns a dash if `rate` is null, since nothing was counted. */
export function rateText(rate: number | null): string {
  return rate === null ? '–' : formatRate(rate);
}
