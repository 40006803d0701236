import type { TimeInput } from '@opentelemetry/api';
import { readEpochAnchorMicros } from '../../record/clock.ts';

/**
 * Converts a time to µs on the clock of the steps. Accepts every form that the API allows: `[seconds, nanoseconds]` or a Date, both since
 * the epoch, or a number in epoch milliseconds or from `performance.now()`. Returns undefined if there is no time.
 */
export function stepMicros(time: TimeInput | undefined): number | undefined {
  if (typeof time === 'number') {
    return time < performance.timeOrigin ? time * 1000 : time * 1000 - readEpochAnchorMicros();
  }
  if (time instanceof Date) return time.getTime() * 1000 - readEpochAnchorMicros();
  if (!Array.isArray(time)) return undefined;
  const [seconds = 0, nanoseconds = 0] = time;
  return seconds * 1e6 + nanoseconds / 1000 - readEpochAnchorMicros();
}
