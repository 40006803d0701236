import type { ProjectId } from '../../platform/ids.ts';

/** Hours since 1970, UTC. */
export type Hour = number;

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

export function microsOfHour(hour: Hour): bigint {
  return BigInt(hour) * HOUR_MICROS;
}

export function secondsOfHour(hour: Hour): number {
  return hour * 3600;
}

export function textOf({ projectId, hour }: ProjectHour): string {
  return `${projectId} ${hour}`;
}
