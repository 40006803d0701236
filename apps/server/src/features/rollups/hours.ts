import type { ProjectId } from '../../platform/ids.ts';

/** Hours since 1970, UTC. */
export type Hour = number;

/** From the first to the last, both included. */
export interface HourRange {
  readonly first: Hour;
  readonly last: Hour;
}

/** What is rolled up, and made anew, at a time. */
export interface ProjectHour {
  readonly projectId: ProjectId;
  readonly hour: Hour;
}

const HOUR_MS = 3_600_000;
const HOUR_MICROS = 3_600_000_000n;

/** The hour in which an instant in epoch ms lies. */
export function hourOfMs(ms: number): Hour {
  return Math.floor(ms / HOUR_MS);
}

/** The hour in which an instant in epoch µs lies. */
export function hourOfMicros(micros: bigint): Hour {
  return Number(micros / HOUR_MICROS);
}

/**
 * Whoever asked for a request began at most so many hours before it, or after it by another clock: so many hours of requests are read to tell who asked
 * for those of an hour.
 */
export const HOURS_APART = 3;

/**
 * The hours that storing a request changes: those in which it ran. What it asked for in a later one may be there already, and not yet that it did.
 * @param durationMs may have a fraction
 */
export function hoursOfRequest(projectId: ProjectId, startMs: number, durationMs: number): ProjectHour[] {
  const [first, last] = [hourOfMs(startMs), hourOfMs(startMs + durationMs)];
  const hours = Math.min(last - first, HOURS_APART) + 1;
  return Array.from({ length: hours }, (_, after) => ({ projectId, hour: first + after }));
}

export function microsOfHour(hour: Hour): bigint {
  return BigInt(hour) * HOUR_MICROS;
}

export function secondsOfHour(hour: Hour): number {
  return hour * 3600;
}

/** In 2106: times in whole seconds end there. */
const LAST_HOUR = Math.floor(0xffff_ffff / 3600);

/** The hour that is nearest among those that are rolled up. */
export function withinHours(hour: Hour): Hour {
  return Math.min(Math.max(hour, 0), LAST_HOUR);
}

export function toText({ projectId, hour }: ProjectHour): string {
  return `${projectId} ${hour}`;
}
