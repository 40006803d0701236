import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { type PeriodicJob, startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { Reconciler } from './reconciler.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Applies due changes to subscriptions each minute. Compares subscriptions with their payments each day and when the server starts. */
export function startReconcileJob(deps: {
  readonly log: Logger;
  readonly clock: Clock;
  readonly reconciler: Reconciler;
}): PeriodicJob {
  const { log, clock, reconciler } = deps;
  let reconciledAt = Number.NEGATIVE_INFINITY;
  return startPeriodicJob({
    everyMs: MINUTE_MS,
    firstMs: 0,
    async work() {
      await reconciler.reconcileDue();
      const nowMs = clock.now().getTime();
      if (nowMs - reconciledAt < DAY_MS) return;
      reconciledAt = nowMs;
      await reconciler.reconcileAll();
    },
    log,
    failure: 'subscriptions could not be compared with the payment provider; the server will try again',
  });
}
