import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { Logger } from '../../platform/log.ts';
import { CONFIRM_MS } from './trusted-time.ts';
import { observeClock } from './trusted-time-store.ts';

/** One server counts the running time. If it has not read the clock for this long, another server takes over. */
const GONE_MS = 30 * 60_000;

/**
 * Determines the trusted time: a clock reading that was confirmed for a day of running time. Traces that expired before the trusted time
 * are deleted.
 */
export interface DeletionClock {
  /** Reads the clock. Returns the trusted time; undefined until a reading has been confirmed by a day of running time. */
  observe(): Promise<Date | undefined>;
  /** Returns how far the clock was ahead of the trusted time at the last reading; null if it was at most a day ahead. */
  aheadMs(): number | null;
}

export function createDeletionClock(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** True if other servers can use the same control store, which is the case with PostgreSQL. */
  readonly shared: boolean;
}): DeletionClock {
  const { control, clock, log, shared } = deps;
  const observer = randomUUID();
  let lastRanMs: number | undefined;
  let other = { readings: -1, sinceMs: 0 };
  let aheadMs: number | null = null;

  const report = (ahead: number | null) => {
    if (ahead !== null && aheadMs === null)
      log.warn(
        { aheadDays: Math.round(ahead / CONFIRM_MS) },
        'the clock is days ahead of the time at which a server last ran: expired traces are deleted only after the clock has run steadily for a day. If the clock is wrong, correct it',
      );
    if (ahead === null && aheadMs !== null)
      log.info('the clock is trusted: the deletion of expired traces continues');
    aheadMs = ahead;
  };

  return {
    async observe() {
      const ranMs = clock.monotonicMs();
      const { held, readings, counts } = await observeClock(control.db, {
        observer,
        nowMs: clock.now().getTime(),
        ranMs: lastRanMs === undefined ? 0 : ranMs - lastRanMs,
        takeOver: !shared || (ranMs - other.sinceMs >= GONE_MS && other.readings),
      });
      lastRanMs = ranMs;
      if (counts || readings !== other.readings) other = { readings: counts ? -1 : readings, sinceMs: ranMs };
      const { trustedMs } = held;
      const ahead = trustedMs === null ? 0 : clock.now().getTime() - trustedMs;
      report(ahead > CONFIRM_MS ? ahead : null);
      return trustedMs === null ? undefined : new Date(trustedMs);
    },
    aheadMs: () => aheadMs,
  };
}
