import type { TimeInput } from '@opentelemetry/api';
import { readEpochAnchorMicros, readMonotonicMicros } from '../../record/clock.ts';

/** Maximum distance of a span's time from the present, in µs: 100 days. The server rejects a step that takes longer than a year. */
const MAX_DISTANCE = 100 * 24 * 3600 * 1e6;

/**
 * Converts a time to µs on the clock of the steps. Accepts every form that the API allows: `[seconds, nanoseconds]` or a Date, both since
 * the epoch, or a number in epoch milliseconds or from `performance.now()`. Returns undefined if there is no time, or if the time is
 * invalid or far from the present.
 */
export function stepMicros(time: TimeInput | undefined): number | undefined {
  const micros = convertTime(time);
  // The comparison is also false for NaN.
  return micros !== undefined && Math.abs(micros - readMonotonicMicros()) < MAX_DISTANCE ? micros : undefined;
}

function convertTime(time: TimeInput | undefined): number | undefined {
  if (typeof time === 'number') {
    return time < performance.timeOrigin ? time * 1000 : time * 1000 - readEpochAnchorMicros();
  }
  if (time instanceof Date) return time.getTime() * 1000 - readEpochAnchorMicros();
  if (!Array.isArray(time)) return undefined;
  const [seconds = 0, nanoseconds = 0] = time;
  return seconds * 1e6 + nanoseconds / 1000 - readEpochAnchorMicros();
}
