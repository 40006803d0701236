import { getLimit, nextPlan, type PlanId, type PlanKind, type Project } from '@throughline/contract';

const HOUR_MS = 3_600_000;

/** The fields of a project that decide its retention. */
type RetentionTerms = Pick<Project, 'plan' | 'createdAt'>;

/**
 * Returns the project with the shortest retention among the projects that lack expired traces in a list that begins at `from`. Without
 * `from`, the list begins when the project was created. Returns undefined if the list lacks no expired traces.
 */
export function findShortestRetention<P extends RetentionTerms>(
  projects: readonly P[],
  from: string | undefined,
  now: Date,
): P | undefined {
  return projects
    .filter(({ plan, createdAt }) => {
      const retainedSince = now.getTime() - getLimit('retention', plan) * HOUR_MS;
      return Date.parse(from ?? createdAt) < retainedSince;
    })
    .sort((a, b) => getLimit('retention', a.plan) - getLimit('retention', b.plan))[0];
}

/** True if a larger plan of the same kind has longer retention. */
export function hasLongerRetention(plan: PlanId, kind: PlanKind): boolean {
  const next = nextPlan(plan, kind);
  if (next === undefined) return false;
  return getLimit('retention', next.id) > getLimit('retention', plan) || hasLongerRetention(next.id, kind);
}
