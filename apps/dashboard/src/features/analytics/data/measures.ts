import { formatCount, formatDuration, formatMegabytes, formatRate } from '@throughline/contract';
import type { Measure } from '../../../visuals/plots/series/series.ts';

/** The measures of charts. Constants, so that a chart is not drawn again for an equal object. */
export const REQUESTS: Measure = { unit: 'requests', write: formatAmount };
export const COUNT: Measure = { unit: 'count', write: formatAmount };
export const DURATION: Measure = { unit: 'ms', write: formatDuration };
export const RATE: Measure = { unit: '%', write: formatRate };
export const MEMORY: Measure = { unit: 'bytes', write: formatMegabytes };

/** A count, or a mark of an axis between two counts. */
function formatAmount(count: number): string {
  return Number.isInteger(count) ? formatCount(count) : count.toFixed(1);
}

/** A percentage of something; a dash, of nothing. */
export function rateText(rate: number | null): string {
  return rate === null ? '–' : formatRate(rate);
}
