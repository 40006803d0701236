import type { Finding } from '@throughline/contract';
import { toMicros } from '../../../platform/clock.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { Scope } from '../../analytics/index.ts';
import type { ErrorGrouping } from '../../errors/index.ts';
import { type GroupedChange, isNear } from '../changes/group-changes.ts';
import type { HourSeries } from '../changes/hour-series.ts';
import { buildEndpointKey } from '../endpoint-key.ts';
import { buildEarlierFinding, buildErrorUnit, type EarlierFinding } from '../error-unit.ts';
import { readNewErrors } from '../errors-store.ts';
import { buildNewErrorFinding, hashId } from '../findings.ts';

/**
 * An error counts as new if it occurred at least `NEW_ERRORS` times, and its service had at least `KNOWN_REQUESTS` requests without it
 * before.
 */
const KNOWN_REQUESTS = 50;
export const NEW_ERRORS = 3;

/** A finding about an error, and the id that an earlier version gave to the finding. */
export interface ErrorFinding {
  readonly finding: Finding;
  readonly earlier: EarlierFinding;
}

/** Builds the findings about errors that the history does not contain. `requestsBefore` counts a service's requests in the history. */
export async function findNewErrors(
  store: TraceStore,
  scope: Scope,
  grouping: ErrorGrouping,
  ids: readonly string[],
  requestsBefore: (service: string) => number,
): Promise<ErrorFinding[]> {
  if (ids.length === 0) return [];
  const rows = await readNewErrors(store, scope.project, scope.reading, grouping, ids);
  return rows.flatMap((row) => {
    if (requestsBefore(row.service_name) < KNOWN_REQUESTS) return [];
    const { error_id: id, message_id: messageId, message } = row;
    const unit = buildErrorUnit(grouping, { id, messageId, message });
    const { knownSinceMs, knownUntilMs } = unit;
    // The function probably threw the message before functions were recorded.
    if (
      knownSinceMs !== null &&
      knownUntilMs !== null &&
      row.first < toMicros(knownUntilMs) &&
      toMicros(knownSinceMs) < scope.reading.from
    )
      return [];
    const earlierId = hashId('newError', message);
    const earlier = buildEarlierFinding(earlierId, unit, Number(row.first / 1000n));
    return [{ finding: buildNewErrorFinding(scope, row, unit), earlier }];
  });
}

/** True if an endpoint probably throws a new error because a dependency began to fail at about the same time. */
export function isFromDependency(
  error: Finding,
  { series: one, signal, start }: GroupedChange,
  all: readonly HourSeries[],
): boolean {
  if (error.kind !== 'newError' || signal !== 'errorRate' || one.part?.name !== 'dependency') return false;
  const key = buildEndpointKey(one);
  const isThere = all.some(
    ({ part, ...place }) =>
      part?.name === 'error' && part.error?.id === error.evidence.errorId && buildEndpointKey(place) === key,
  );
  return isThere && isNear(Date.parse(error.since) / 3_600_000, start);
}
