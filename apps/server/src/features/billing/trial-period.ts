import { PLANS } from '@throughline/contract';

const DAY_MS = 86_400_000;

/** How long a trial lasts that began at `since`. */
export function trialPeriod(since: Date): { currentPeriodStart: Date; currentPeriodEnd: Date } {
  const days = PLANS.free_trial.trialDays ?? 0;
  return { currentPeriodStart: since, currentPeriodEnd: new Date(since.getTime() + days * DAY_MS) };
}
