import { type Finding, formatInstant, type TraceLink, TraceListQuery } from '@throughline/contract';
import { toMicros } from '../../platform/clock.ts';
import { runInSlices } from '../../platform/queues/run-in-slices.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Scope, traceLink } from '../analytics/index.ts';
import type { ErrorGrouping } from '../errors/index.ts';
import type { Range, Reading } from '../rollups/index.ts';
import { areIndependent, type Candidate, findCandidates } from '../step-patterns/index.ts';
import { findListExtent, findPage, readListQuery } from '../traces/index.ts';
import { changeFinding, changeLink, findEarlierChange } from './changes/change-finding.ts';
import { type Change, findChanges } from './changes/find-changes.ts';
import { type AllSeries, findAllSeries } from './changes/find-series.ts';
import { groupChanges } from './changes/group-changes.ts';
import { HOUR_MICROS, type HourSeries, isLatencySignal } from './changes/hour-series.ts';
import { countRequests, findDurationAt } from './distributions.ts';
import { buildEndpointKey } from './endpoint-key.ts';
import type { EarlierFinding } from './error-unit.ts';
import {
  buildRepeatedCallsLink,
  buildRepeatedFinding,
  buildSequentialCallsLink,
  buildSequentialFinding,
  buildSlowerEndpointLink,
  buildSlowerFinding,
  EXAMPLES,
} from './findings.ts';
import { gradeReach, type Reach } from './grade-reach.ts';
import { explainsCalls, findRepeated, type Repeated } from './kinds/repeated.ts';
import { findSequenceStart } from './kinds/sequence-start.ts';
import { findSlower, findSlowInterval, findSlowSince, type Slower } from './kinds/slower.ts';
import { type ErrorFinding, findNewErrors, isFromDependency } from './new-errors/new-errors.ts';
import { findErrorTimes } from './new-errors/new-errors-store.ts';
import { beginsWithRelease } from './releases/begins-with-release.ts';
import { findReleaseChanges } from './releases/find-release-changes.ts';
import { mergeReleaseChanges, type ReportedChange } from './releases/merge-release-changes.ts';
import { findReleasePairs, type ReleasePair } from './releases/release-pairs.ts';
import type { StartInterval } from './start-interval.ts';
import { findCaptured, findHourlyRequests, findSeenRequests } from './steps-store.ts';
import { findHours, findSlowest, findTimes } from './store.ts';

/**
 * Maximum number of sampled requests in which the server checks whether a sequential step used a value that an earlier step returned. If no
 * step did, the steps could have run in parallel.
 */
const LOOKED_INTO = 20;

/**
 * Bounds of the history, in hours before the end of the range. `least`: the history begins at least this long before the end. `most`: the
 * comparison by hour begins at most this long before the end.
 */
const HISTORY = { least: 15n * 24n, most: 36n * 24n } as const;

const SEVERITY = { high: 0, medium: 1, low: 2 } as const;

/**
 * Returns the part of a range that is not in the future. A range of whole days ends at midnight, so it can contain future hours, which have
 * no requests.
 */
function endNow({ from, until }: Range, now: Date): Range {
  const nowMicros = toMicros(now.getTime());
  return { from, until: until < nowMicros ? until : nowMicros };
}

/**
 * Finds the start of the history that a range is compared with: as long before the range as the range is long, but at least 15 days before
 * the end of the range.
 */
export function findHistoryStart(range: Range, now: Date): bigint {
  const { from, until } = endNow(range, now);
  const [asLong, fortnight] = [from - (until - from), until - HISTORY.least * HOUR_MICROS];
  return asLong < fortnight ? asLong : fortnight;
}

export interface FoundInsights {
  readonly findings: Finding[];
  readonly requestCount: number;
  /** The ids that an earlier version of the server gave to findings about errors, by the current id of the finding. */
  readonly earlier: ReadonlyMap<string, EarlierFinding>;
}

/** Finds the problems in the requests of a scope (a range with filters), compared with the requests before the range. */
export async function searchFindings(
  store: TraceStore,
  asked: Scope,
  now: Date,
  grouping: ErrorGrouping,
): Promise<FoundInsights> {
  const { project } = asked;
  const { from, until } = endNow(asked.reading, now);
  if (until <= from) return { findings: [], requestCount: 0, earlier: new Map() };
  const reading: Scope['reading'] = { ...asked.reading, until };
  const scope: Scope = { ...asked, reading };
  const before: Reading = { ...reading, from: findHistoryStart(reading, now), until: from };
  const hourly = findLater(findLater(before.from, until - HISTORY.most * HOUR_MICROS), project.shownSince);
  const [times, errorTimes, seen, all] = await Promise.all([
    findTimes(store, project, reading, before),
    findErrorTimes(store, project, reading, before, grouping),
    findSeenRequests(store, project, reading),
    findAllSeries(store, project, { ...reading, from: hourly }, grouping),
  ]);
  const requests = (some: typeof times) => some.reduce((sum, one) => sum + countRequests(one.histogram), 0);
  const buildCounter = (isCurrent: boolean) => (service: string, environment?: string) =>
    requests(
      times.filter(
        (one) =>
          one.current === isCurrent &&
          one.service === service &&
          (environment === undefined || one.environment === environment),
      ),
    );
  const pairs = findReleasePairs(times);
  const slower = findSlower(times, pairs, (one) => beginsWithRelease(one, all.ofReleases));
  const errors = await findNewErrors(store, scope, grouping, errorTimes, {
    before: buildCounter(false),
    now: buildCounter(true),
    series: all.series,
  });
  const repeated = findRepeated(seen);
  const changes = await listChanges(all, { scope, since: hourly, pairs, slower, errors, repeated });
  const ofChanges = changes.map((change) => ({
    finding: describeChange(store, scope, change),
    earlier: findEarlierChange(change),
  }));
  const earlier = new Map<string, EarlierFinding>();
  for (const { finding, earlier: of } of errors) if (of !== undefined) earlier.set(finding.id, of);
  for (const { finding, earlier: of } of ofChanges) {
    const [described] = await finding;
    if (described !== undefined && of !== undefined) earlier.set(described.id, of);
  }
  const found = await Promise.all([
    ...slower.map((one) => describeSlower(store, scope, one)),
    errors
      .filter((error) => !changes.some((change) => isFromDependency(error, change, all.series)))
      .map(({ finding }) => finding),
    ...ofChanges.map(({ finding }) => finding),
    ...repeated.map((one) => describeRepeated(store, scope, one)),
    ...findCandidates(seen).map((candidate) => describeSequential(store, scope, candidate)),
  ]);
  const findings = found.flat();
  const extent = findings.length === 0 ? undefined : await findExtent(store, scope, traceLink(scope, {}));
  return {
    findings: findings
      .map((finding) => gradeFinding(finding, extent))
      .sort(
        (a, b) =>
          SEVERITY[a.severity] - SEVERITY[b.severity] ||
          b.requestCount - a.requestCount ||
          (a.id < b.id ? -1 : 1),
      ),
    requestCount: requests(times.filter(({ current }) => current)),
    earlier,
  };
}

/**
 * Changes the finding's severity by the number of affected requests and users. Findings about the number of requests keep their severity:
 * if traffic stopped, the counted requests came before the stop and are not affected.
 */
function gradeFinding(finding: Finding, all: Reach = { requests: 0, users: 0 }): Finding {
  const { severity, requestCount: requests, userCount: users } = finding;
  const isTraffic = finding.kind === 'changed' && finding.evidence.signal === 'requests';
  return isTraffic ? finding : { ...finding, severity: gradeReach(severity, { requests, users }, all) };
}

/**
 * Returns the numbers of requests and users that a link shows, and the start of the first request. Returns undefined if all of these
 * requests have been deleted in the meantime.
 */
async function findExtent(store: TraceStore, { project }: Scope, link: TraceLink) {
  const shown = await findListExtent(store, [project], readListQuery(TraceListQuery.parse(link)));
  return shown.requests > 0 ? shown : undefined;
}

/**
 * Builds the finding about a slower endpoint. The finding starts at the hour in which the endpoint became slower or, if a release made it
 * slower, at the first request of that release. Returns no finding if the traces to link to have been deleted.
 */
async function describeSlower(store: TraceStore, scope: Scope, one: Slower): Promise<Finding[]> {
  const { project, reading } = scope;
  const { releases } = one;
  const hours =
    releases === null ? await findHours(store, project, reading, one, findDurationAt(one.before, 0.5)) : [];
  const since = releases?.first ?? findSlowSince(hours);
  if (since === undefined) return [];
  const startsWithin = describeInterval(scope, findSlowInterval(hours));
  const link = buildSlowerEndpointLink(scope, one, since);
  const shown = await findExtent(store, scope, link);
  if (shown === undefined) return [];
  const looked: Reading = { ...reading, from: since, ...(releases !== null && { release: releases.after }) };
  const slowest = await findSlowest(store, project, looked, one, EXAMPLES);
  return [{ ...buildSlowerFinding(one, link, shown, slowest), startsWithin }];
}

/** Describes the part of an interval that is within the examined range. */
function describeInterval({ reading }: Scope, interval: StartInterval | undefined): Finding['startsWithin'] {
  if (interval === undefined) return null;
  const limit = (hour: number) => {
    const at = BigInt(Math.round(hour * Number(HOUR_MICROS)));
    return formatInstant(at < reading.from ? reading.from : at > reading.until ? reading.until : at);
  };
  return { from: limit(interval.from), to: limit(interval.until) };
}

/** Returns the changed metrics that no other finding covers. */
async function listChanges(
  { series, ofReleases }: AllSeries,
  given: {
    readonly scope: Scope;
    readonly since: bigint;
    readonly pairs: ReadonlyMap<string, readonly ReleasePair[]>;
    readonly slower: readonly Slower[];
    readonly errors: readonly ErrorFinding[];
    readonly repeated: readonly Repeated[];
  },
): Promise<ReportedChange[]> {
  const { from, until } = given.scope.reading;
  const span = {
    since: Number(given.since / HOUR_MICROS) + 1,
    from: Number(from / HOUR_MICROS),
    until: Number((until - 1n) / HOUR_MICROS),
    isWhole: until % HOUR_MICROS === 0n,
  };
  const slower = new Set(given.slower.map(buildEndpointKey));
  const isKnown = ({ signal, series: one, before, after, requestsAfter }: Change) => {
    if (signal === 'errorRate' && one.part?.name !== 'dependency') {
      const added = ((after - before) / 100) * requestsAfter;
      return given.errors.some((error) => explainsErrors(error, one, added));
    }
    return isLatencySignal(signal) && slower.has(buildEndpointKey(one));
  };
  const changes: Change[] = [];
  await runInSlices(findChanges(series, span), (found) => {
    changes.push(...found.filter((change) => !isKnown(change)));
  });
  const merged = mergeReleaseChanges(
    groupChanges(changes, series),
    await findReleaseChanges(ofReleases, given.pairs, isKnown),
  );
  return merged.filter((change) => !given.repeated.some((one) => explainsCalls(one, change)));
}

/**
 * True if a new error explains a higher error rate of a series: it is the error of the series, or it accounts for at least half of the
 * additional failed requests (`added`).
 */
function explainsErrors(
  { finding, errorIds }: ErrorFinding,
  { service, part }: HourSeries,
  added: number,
): boolean {
  if (finding.service !== service) return false;
  if (part?.error !== undefined) return errorIds.has(part.error.id);
  return finding.requestCount >= added / 2;
}

async function describeChange(store: TraceStore, scope: Scope, change: ReportedChange): Promise<Finding[]> {
  const link = changeLink(scope, change);
  const shown = await findExtent(store, scope, link);
  const isSilent = change.signal === 'requests' && change.after === 0;
  if (shown === undefined && !isSilent) return [];
  const { rows } = await findPage(
    store,
    [scope.project],
    readListQuery(TraceListQuery.parse({ ...link, sort: 'duration', limit: EXAMPLES })),
  );
  const examples = rows.map(({ _id }) => _id);
  return [changeFinding(change, link, shown, examples, describeInterval(scope, change.interval))];
}

async function describeRepeated(store: TraceStore, scope: Scope, one: Repeated): Promise<Finding[]> {
  const link = buildRepeatedCallsLink(scope, one);
  const shown = await findExtent(store, scope, link);
  return shown === undefined ? [] : [buildRepeatedFinding(one, link, shown)];
}

async function describeSequential(store: TraceStore, scope: Scope, candidate: Candidate): Promise<Finding[]> {
  const [request] = candidate.requests;
  if (request === undefined || !(await isIndependent(store, scope, candidate))) return [];
  const hourly = await findHourlyRequests(store, scope.project, scope.reading, request);
  const since = findSequenceStart(hourly, candidate);
  if (since === undefined) return [];
  const link = buildSequentialCallsLink(scope, candidate, findLater(since, scope.reading.from));
  const shown = await findExtent(store, scope, link);
  return shown === undefined ? [] : [buildSequentialFinding(candidate, link, shown)];
}

/** True if in each of the first `LOOKED_INTO` sampled requests, no step received a value that an earlier step returned. */
async function isIndependent(store: TraceStore, { project }: Scope, { runs }: Candidate): Promise<boolean> {
  const some = runs.slice(0, LOOKED_INTO);
  return (await findCaptured(store, project, some)).every(areIndependent);
}

/** Returns the later of two instants in epoch microseconds. */
export function findLater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
