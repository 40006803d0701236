import { formatCount } from '@throughline/contract';

/** Describes a line of counts at equal time intervals, for people who cannot see the line. */
export function describeTrend(counts: readonly number[]): string {
  const half = Math.floor(counts.length / 2);
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
  return `${formatCount(sum(counts.slice(0, half)))} in the first half of the time, ${formatCount(sum(counts.slice(half)))} in the second`;
}
