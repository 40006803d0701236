import type { TimeInput } from '@opentelemetry/api';
import { epochAnchorMicros } from '../../record/clock.ts';

/**
 * A time as the API takes it, on the clock that steps are timed by: `[seconds, nanoseconds]` or a Date of the epoch; a number is epoch milliseconds,
 * or as `performance.now()` gives them. Undefined for none.
 */
export function stepMicros(time: TimeInput | undefined): number | undefined {
  if (typeof time === 'number') {
    return time < performance.timeOrigin ? time * 1000 : time * 1000 - epochAnchorMicros();
  }
  if (time instanceof Date) return time.getTime() * 1000 - epochAnchorMicros();
  if (!Array.isArray(time)) return undefined;
  const [seconds = 0, nanoseconds = 0] = time;
  return seconds * 1e6 + nanoseconds / 1000 - epochAnchorMicros();
}
