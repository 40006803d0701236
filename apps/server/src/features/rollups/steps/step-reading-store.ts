import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { FOLDED } from '../request-figures-store.ts';
import { omitParts, type Reading, type Shown, splitRange } from '../rollup-query-plan-store.ts';
import { findStepPlaces, STEP_VALUES, selectSteps } from './step-figures-store.ts';

const StepFigures = z.object({
  service: z.string(),
  name: z.string(),
  type: z.string(),
  /** The dependency that the step calls, such as a host or a database system; empty if the step calls none. */
  dependency: z.string(),
  /** Number of calls. For a call aggregate, all of its calls count. */
  executions: z.coerce.number(),
  errors: z.coerce.number(),
  duration_micros_sum: z.coerce.number(),
});
export type StepFigures = z.output<typeof StepFigures>;

/** Stats of the steps that ran most often, and of the dependencies that were called most often. */
export interface StepsFigures {
  /** Stats by name and type; service and dependency are empty. */
  readonly patterns: readonly StepFigures[];
  /** Stats by service, type and dependency; names are empty. */
  readonly dependencies: readonly StepFigures[];
}

export interface StepLimits {
  readonly patterns: number;
  readonly dependencies: number;
}

/** Computes stats of the steps of a project's requests in a range, most frequent first, in one query. */
export async function findStepFigures(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  limits: StepLimits,
): Promise<StepsFigures> {
  const split = await splitRange(store, project, omitParts(reading), { fromTraces: false });
  if (split?.rolledUp === undefined) return { patterns: [], dependencies: [] };
  const places = await findStepPlaces(store, split.traces, split.params);
  const keys = ['service', 'name', 'type', 'dependency'].map((name) => `${name} AS k_${name}`);
  const columns = [...keys, ...STEP_VALUES.map((name) => `${name} AS s_${name}`)].join(', ');
  const ofTraces = places === undefined ? '' : `UNION ALL ${selectSteps(split.traces, places, ['service'])}`;
  const rows = await store.rows(
    StepFigures.extend({ is_pattern: z.coerce.number() }),
    `SELECT is_pattern, service, name, type, dependency, executions, errors, duration_micros_sum FROM (
       SELECT grouping(k_name) = 0 AS is_pattern, toString(k_service) AS service, toString(k_name) AS name, toString(k_type) AS type,
         toString(k_dependency) AS dependency, ${STEP_VALUES.map((name) => `sum(s_${name}) AS ${name}`).join(', ')}
       FROM (SELECT ${columns} FROM step_rollups WHERE ${split.rolledUp} ${ofTraces})
       GROUP BY GROUPING SETS ((k_name, k_type), (k_service, k_type, k_dependency)))
     WHERE is_pattern OR dependency != ''
     ORDER BY executions DESC, name, type, service, dependency LIMIT {most:UInt32} BY is_pattern ${FOLDED}`,
    { ...split.params, ...places?.params, most: Math.max(limits.patterns, limits.dependencies) },
  );
  const of = (kind: number, most: number) =>
    rows.flatMap(({ is_pattern, ...figures }) => (is_pattern === kind ? [figures] : [])).slice(0, most);
  return { patterns: of(1, limits.patterns), dependencies: of(0, limits.dependencies) };
}

const DependencyHour = z.object({
  service: z.string(),
  environment: z.string(),
  dependency: z.string(),
  /** The hour of the calls: the number of hours since 1970 (UTC). */
  at: z.coerce.number(),
  executions: z.coerce.number(),
  duration_micros_sum: z.coerce.number(),
});
export type DependencyHour = z.output<typeof DependencyHour>;

/**
 * Computes, for each hour, how often the services call their dependencies and how long the calls take. `most` is the maximum number of
 * rows; the rows of the most frequently called dependencies are returned.
 */
export async function findDependencyHours(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  most: number,
): Promise<DependencyHour[]> {
  const split = await splitRange(store, project, omitParts(reading), { fromTraces: false });
  if (split?.rolledUp === undefined) return [];
  const places = await findStepPlaces(store, split.traces, split.params);
  const keys = ['service', 'environment', 'dependency'] as const;
  const columns = ['hour', ...keys].map((name) => `${name} AS k_${name}`).join(', ');
  const values = (['executions', 'duration_micros_sum'] as const).map((name) => `s_${name}`);
  const stored = `SELECT ${columns}, executions AS s_executions, duration_micros_sum AS s_duration_micros_sum FROM step_rollups
    WHERE ${split.rolledUp} AND dependency != ''`;
  const ofTraces =
    places === undefined
      ? ''
      : `UNION ALL SELECT k_hour, ${keys.map((name) => `k_${name}`).join(', ')}, ${values.join(', ')}
         FROM (${selectSteps(split.traces, places, ['hour', 'service', 'environment'])}) WHERE k_dependency != ''`;
  return store.rows(
    DependencyHour,
    `SELECT toString(k_service) AS service, toString(k_environment) AS environment, toString(k_dependency) AS dependency,
       intDiv(toUInt32(k_hour), 3600) AS at, sum(s_executions) AS executions, sum(s_duration_micros_sum) AS duration_micros_sum
     FROM (${stored} ${ofTraces})
     GROUP BY service, environment, dependency, at ORDER BY sum(executions) OVER (PARTITION BY service, environment, dependency) DESC,
       service, environment, dependency, at LIMIT {most:UInt32} ${FOLDED}`,
    { ...split.params, ...places?.params, most },
  );
}
