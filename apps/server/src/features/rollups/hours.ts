import type { ProjectId } from '../../platform/ids.ts';

/** Hours since 1970, UTC. */
export type Hour = number;

/** A range of hours, `first` and `last` included. */
export interface HourRange {
  readonly first: Hour;
  readonly last: Hour;
}

/** The unit of rollups: one hour of one project. */
export interface ProjectHour {
  readonly projectId: ProjectId;
  readonly hour: Hour;
}

const HOUR_MS = 3_600_000;
const HOUR_MICROS = 3_600_000_000n;

export function toHourFromMs(ms: number): Hour {
  return Math.floor(ms / HOUR_MS);
}

export function toHourFromMicros(micros: bigint): Hour {
  return Number(micros / HOUR_MICROS);
}

/**
 * Maximum number of hours between the start of a caller and the start of its callee; a callee can seem to start first if clocks differ. To
 * find the callers of an hour, the requests of this many hours before and after the hour are read.
 */
export const HOURS_APART = 3;

/**
 * Returns the hours whose rollups change when a request is stored: its first hour and, up to `HOURS_APART` hours later, the hours in which
 * it ran. In these hours, requests that this request sent to other services can already be stored, and rolled up without a caller.
 */
export function listRequestHours(projectId: ProjectId, startMs: number, durationMs: number): ProjectHour[] {
  const [first, last] = [toHourFromMs(startMs), toHourFromMs(startMs + durationMs)];
  const hours = Math.min(last - first, HOURS_APART) + 1;
  return Array.from({ length: hours }, (_, after) => ({ projectId, hour: first + after }));
}

export function hourToMicros(hour: Hour): bigint {
  return BigInt(hour) * HOUR_MICROS;
}

export function hourToSeconds(hour: Hour): number {
  return hour * 3600;
}

/** The last hour that a 32-bit Unix time in seconds can represent, in 2106. */
const LAST_HOUR = Math.floor(0xffff_ffff / 3600);

/** Returns the hour itself if it can be rolled up, otherwise the nearest hour that can be rolled up. */
export function clampHour(hour: Hour): Hour {
  return Math.min(Math.max(hour, 0), LAST_HOUR);
}

export function toText({ projectId, hour }: ProjectHour): string {
  return `${projectId} ${hour}`;
}
