import type { Finding } from '@throughline/contract';
import { toMicros } from '../../../platform/clock.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { Scope } from '../../analytics/index.ts';
import type { ErrorGrouping } from '../../errors/index.ts';
import { findHigherRate } from '../changes/chance.ts';
import { type GroupedChange, isNear } from '../changes/group-changes.ts';
import type { HourSeries } from '../changes/hour-series.ts';
import { buildEndpointKey } from '../endpoint-key.ts';
import { buildEarlierFinding, buildErrorUnit, type EarlierFinding } from '../error-unit.ts';
import { buildNewErrorFinding, hashId } from '../findings.ts';
import { chooseNewErrors, type NewErrors } from './choose-new-errors.ts';
import { findErrorPart, listAttributes } from './error-part.ts';
import { type ErrorTimes, readNewErrors, readSharedParts } from './new-errors-store.ts';

/**
 * An error counts as new if it occurred at least `NEW_ERRORS` times, and if its service had at least `KNOWN_REQUESTS` requests before the
 * period, none of which had the error. If the error is new only in an environment, the requests in this environment count.
 */
const KNOWN_REQUESTS = 50;
const NEW_ERRORS = 3;
/**
 * Maximum probability that an error did not occur earlier only by chance. Only tested if the error is known from other environments: with
 * few requests, an environment such as staging lacks a rare error by chance.
 */
const MAX_CHANCE = 0.01;

/** A finding about an error, or about several errors with similar messages. */
export interface ErrorFinding {
  readonly finding: Finding;
  readonly errorIds: ReadonlySet<string>;
  /** The id that an earlier version of the server gave to the finding. Undefined if that version had no such finding. */
  readonly earlier: EarlierFinding | undefined;
}

/** Counts the requests to a service: in one environment, or in all of them. */
type CountRequests = (service: string, environment?: string) => number;

/** The requests with which new errors are compared. */
export interface OtherRequests {
  /** Counts requests in the history. */
  readonly before: CountRequests;
  /** Counts requests in the range. */
  readonly now: CountRequests;
  readonly series: readonly HourSeries[];
}

/** Builds the findings about errors that do not occur in the history, or that do not occur in the history of one environment. */
export async function findNewErrors(
  store: TraceStore,
  scope: Scope,
  grouping: ErrorGrouping,
  times: readonly ErrorTimes[],
  others: OtherRequests,
): Promise<ErrorFinding[]> {
  const chosen = chooseNewErrors(times, grouping, { from: scope.reading.from, least: NEW_ERRORS });
  const found = await Promise.all(chosen.map((some) => describeErrors(store, scope, some, others)));
  return found.flat();
}

async function describeErrors(
  store: TraceStore,
  asked: Scope,
  { environment, ids, similar, grouping }: NewErrors,
  others: OtherRequests,
): Promise<ErrorFinding[]> {
  if (ids.length === 0) return [];
  const scope: Scope =
    environment === null ? asked : { ...asked, reading: { ...asked.reading, environment } };
  const { project, reading } = scope;
  const [rows, shared] = await Promise.all([
    readNewErrors(store, project, reading, grouping, ids),
    readSharedParts(store, project, reading, grouping, { ids, attributes: listAttributes(others.series) }),
  ]);
  return rows.flatMap((row) => {
    const before = others.before(row.service_name, environment ?? undefined);
    if (before < KNOWN_REQUESTS) return [];
    if (environment !== null) {
      const now = { count: row.errors, requests: others.now(row.service_name, environment) };
      const chance = findHigherRate(now, { count: 0, requests: before });
      if (chance * ids.length > MAX_CHANCE) return [];
    }
    const { error_id: id, message_id: messageId, message } = row;
    const unit = buildErrorUnit(grouping, { id, messageId, message });
    const { knownSinceMs, knownUntilMs } = unit;
    // The error is not new: its function probably threw the message before functions were recorded.
    if (
      knownSinceMs !== null &&
      knownUntilMs !== null &&
      row.first < toMicros(knownUntilMs) &&
      toMicros(knownSinceMs) < scope.reading.from
    )
      return [];
    const earlier =
      environment === null
        ? buildEarlierFinding(hashId('newError', message), unit, Number(row.first / 1000n))
        : undefined;
    const part = findErrorPart(row, environment, shared, others.series, reading.until);
    const given = { environment, part, similar: similar.get(id) };
    const finding = buildNewErrorFinding(scope, row, unit, given);
    return [{ finding, errorIds: similar.get(id)?.ids ?? new Set([id]), earlier }];
  });
}

/** True if an endpoint probably throws a new error because a dependency began to fail at about the same time. */
export function isFromDependency(
  { finding, errorIds }: Pick<ErrorFinding, 'errorIds'> & { readonly finding: Pick<Finding, 'since'> },
  { series: one, signal, start }: Pick<GroupedChange, 'series' | 'signal' | 'start'>,
  all: readonly HourSeries[],
): boolean {
  if (signal !== 'errorRate' || one.part?.name !== 'dependency') return false;
  const key = buildEndpointKey(one);
  const isThere = all.some(
    ({ part, ...place }) =>
      part?.error !== undefined && errorIds.has(part.error.id) && buildEndpointKey(place) === key,
  );
  return isThere && isNear(Date.parse(finding.since) / 3_600_000, start);
}
