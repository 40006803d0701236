import { getLimit, nextPlan, type PlanId, type PlanKind, type Project } from '@throughline/contract';

const HOUR_MS = 3_600_000;

/** What of a project says how long its traces are kept. */
type Kept = Pick<Project, 'plan' | 'createdAt'>;

/**
 * Of the projects in a list, the one that keeps traces shortest, where the list would reach further back than that: to `from`, or else to
 * where the project began. Undefined where nothing is left out.
 */
export function shortestKept<P extends Kept>(
  projects: readonly P[],
  from: string | undefined,
  now: Date,
): P | undefined {
  return projects
    .filter(({ plan, createdAt }) => {
      const keptSince = now.getTime() - getLimit('retention', plan) * HOUR_MS;
      return Date.parse(from ?? createdAt) < keptSince;
    })
    .sort((a, b) => getLimit('retention', a.plan) - getLimit('retention', b.plan))[0];
}

/** Whether some larger plan of one's kind keeps traces longer. */
export function keepsLonger(plan: PlanId, kind: PlanKind): boolean {
  const next = nextPlan(plan, kind);
  if (next === undefined) return false;
  return getLimit('retention', next.id) > getLimit('retention', plan) || keepsLonger(next.id, kind);
}
