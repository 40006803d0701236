import { formatCount } from '@throughline/contract';

const PACES = [
  { unit: 'min', minutes: 1 },
  { unit: 'h', minutes: 60 },
  { unit: 'd', minutes: 1440 },
] as const;

/** Formats requests per minute. If there is less than one request per minute, formats requests per hour or per day. */
export function formatPace(perMinute: number): string {
  const { unit, minutes } = PACES.find((pace) => perMinute * pace.minutes >= 1) ?? PACES[2];
  const rate = perMinute * minutes;
  if (rate < 0.1) return `< 0.1 / ${unit}`;
  return `${rate >= 100 ? formatCount(Math.round(rate)) : rate.toFixed(1)} / ${unit}`;
}
