import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { Logger } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { computeMonth } from './month.ts';
import { countAccepted, findMonth, findPayingProjects, raiseMonthCount } from './store.ts';

/**
 * Compares each month's counter with the stored traces. Fewer traces can be stored than were counted, because traces are deleted and
 * expire. If more traces are stored than were counted, the difference is logged and the counter is raised.
 */
export async function checkMonths(deps: {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<void> {
  const { db } = deps.control;
  const now = deps.clock.now();
  for (const { accountId, anchorAt, projectIds } of await findPayingProjects(db)) {
    const month = computeMonth(anchorAt, now);
    const stored = await countAccepted(deps.traces, { projectIds, from: month.start, until: now });
    const key = { accountId, periodStart: month.start };
    const counted = (await findMonth(db, key))?.traces ?? 0;
    if (stored <= counted) continue;
    deps.log.error(
      { accountId, counted, stored },
      'more traces were stored this month than were counted: the count was raised',
    );
    await raiseMonthCount(db, key, stored);
  }
}
