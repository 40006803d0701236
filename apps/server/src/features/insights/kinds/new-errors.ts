import type { Finding } from '@throughline/contract';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findErrors, type Scope } from '../../analytics/index.ts';
import { type GroupedChange, isNear } from '../changes/group-changes.ts';
import type { HourSeries } from '../changes/hour-series.ts';
import { buildEndpointKey } from '../endpoint-key.ts';
import { buildNewErrorFinding } from '../findings.ts';

/** An error counts as new only after this many requests without it, and once it has occurred NEW_ERRORS times. */
export const KNOWN_REQUESTS = 50;
export const NEW_ERRORS = 3;
/** Maximum number of error groups that are read. */
const MAX_GROUPS = 2000;

/** Builds the findings about errors that the history does not contain. */
export async function findNewErrors(
  store: TraceStore,
  scope: Scope,
  messages: readonly string[],
): Promise<Finding[]> {
  if (messages.length === 0) return [];
  const { groups } = await findErrors(store, scope.project, scope.reading, MAX_GROUPS);
  return groups
    .filter(({ message }) => messages.includes(message))
    .map((group) => buildNewErrorFinding(scope, group));
}

/** True if a new error is only the endpoint's own message about a dependency that began to fail at about the same time. */
export function isFromDependency(
  error: Finding,
  { series: one, signal, start }: GroupedChange,
  all: readonly HourSeries[],
): boolean {
  if (error.kind !== 'newError' || signal !== 'errorRate' || one.part?.name !== 'dependency') return false;
  const key = buildEndpointKey(one);
  const isThere = all.some(
    ({ part, ...place }) =>
      part?.name === 'error' && part.value === error.evidence.message && buildEndpointKey(place) === key,
  );
  return isThere && isNear(Date.parse(error.since) / 3_600_000, start);
}
