import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Reconciler } from './reconciler.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Applies due changes to subscriptions each minute. Compares subscriptions with their payments each day and at the start. */
export function startReconcileJob(deps: {
  readonly log: Logger;
  readonly clock: Clock;
  readonly reconciler: Reconciler;
}) {
  const { log, clock, reconciler } = deps;
  let reconciledAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  const once = async () => {
    if (closed) return;
    await reconciler.reconcileDue();
    const nowMs = clock.now().getTime();
    if (nowMs - reconciledAt < DAY_MS) return;
    reconciledAt = nowMs;
    await reconciler.reconcileAll();
  };
  const run = () =>
    once().catch((err: unknown) => log.warn({ err }, 'subscriptions could not be brought up to date yet'));
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, MINUTE_MS).unref();
  return {
    async close(): Promise<void> {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
