import {
  type Finding,
  formatBytes,
  formatCount,
  formatCounted,
  formatDuration,
  formatInstant,
  formatRate,
  type TraceLink,
} from '@throughline/contract';
import { type Scope, traceLink } from '../../analytics/index.ts';
import type { ListExtent } from '../../traces/index.ts';
import type { EndpointPlace } from '../endpoint-key.ts';
import { buildEarlierFinding, type EarlierFinding } from '../error-unit.ts';
import { describePart, filterEndpoint, hashId } from '../findings.ts';
import type { ReportedChange } from '../releases/merge-release-changes.ts';
import { HOUR_MICROS, type HourSeries, type Part } from './hour-series.ts';

/** Maximum number of other endpoints that a finding names. */
const MAX_NAMED = 3;
const LARGE = {
  p50: 3,
  p95: 4,
  p99: 5,
  errorRate: 5,
  requests: 5,
  memory: 3,
  eventLoopDelay: 10,
  responseSize: 5,
  cacheMisses: 5,
  cpu: 3,
  calls: 5,
} as const;
/** From this percentage of failed requests on, a finding has the severity `high`. */
const MANY_FAIL = 10;

const HOUR_MS = Number(HOUR_MICROS / 1000n);

type Severity = Finding['severity'];

/**
 * Builds the link to the requests since a change. For an endpoint that became silent, the link shows the requests before the change. If
 * releases were compared, the link shows only requests of the newer release, from its first request on, even if this request was before the
 * range.
 */
export function changeLink(scope: Scope, change: ReportedChange): TraceLink {
  const { series, signal, after, against, releases, tailMs } = change;
  const isSilent = signal === 'requests' && after === 0;
  return traceLink(scope, {
    ...filterEndpoint(series),
    ...filterPart(series.part),
    ...(signal === 'errorRate' && series.part?.name !== 'dependency' && { status: 'error' }),
    ...(signal === 'errorRate' && series.part?.name === 'dependency' && { stepStatus: 'error' }),
    ...(against === 'release' && releases !== null && { release: releases.after }),
    ...(tailMs !== null && { minDuration: String(Math.ceil(tailMs)) }),
    ...(!isSilent && { startDate: formatInstant(findFirst(scope, change)) }),
  });
}

/**
 * Returns the start of the requests with a change, in epoch µs: the first request of the release or, without a release, the hour in which
 * the change began. The start is before the range only if releases were compared.
 */
function findFirst(scope: Scope, { start, against, releases }: ReportedChange): bigint {
  if (against === 'release' && releases !== null) return releases.first;
  return findLater(releases?.first ?? BigInt(start) * HOUR_MICROS, scope.reading.from);
}

function filterPart(part: Part | null): TraceLink {
  if (part === null) return {};
  if (part.name === 'error') return part.error?.filter ?? { errorGroup: part.value };
  if (part.name !== 'attribute') return { [part.name]: part.value };
  return { attribute: part.value };
}

/**
 * Builds the finding about a change. `shown` is the extent of the requests that {@link changeLink} shows; undefined if none of these
 * requests are left.
 */
export function changeFinding(
  change: ReportedChange,
  traces: TraceLink,
  shown: ListExtent | undefined,
  examples: readonly string[],
  startsWithin: Finding['startsWithin'],
): Finding {
  const { series, signal, before, after, also, window, start, requestsBefore, requestsAfter, pValue } =
    change;
  const { against, releases } = change;
  const { service, environment, part } = series;
  const { method, path } = findOnlyEndpoint(series);
  const isSilent = signal === 'requests' && after === 0;
  const began = releases?.first ?? BigInt(start) * HOUR_MICROS;
  const isKnown = against === 'release' || isSilent || shown === undefined;
  return {
    kind: 'changed',
    id: buildChangeId(change, part?.error?.id ?? part?.value),
    title: describeChange(change) + (releases === null ? '' : `, since release ${releases.after}`),
    detail: [describeFigures(change), describeOthers(change)].filter((text) => text !== '').join(' '),
    severity: gradeChange(change),
    service,
    endpoint: path === '' ? null : { method, path },
    since: formatInstant(isKnown ? began : shown.first),
    startsWithin: releases === null ? startsWithin : null,
    requestCount: shown?.requests ?? 0,
    userCount: shown?.users ?? 0,
    traces,
    exampleTraceIds: [...examples],
    evidence: {
      signal,
      against,
      release: releases?.after ?? null,
      previousRelease: releases?.before ?? null,
      environment,
      part: part && { name: part.name, value: part.value },
      errorId: part?.error?.id ?? null,
      windowHours: window.until - window.from,
      before,
      after,
      requestsBefore,
      requestsAfter,
      endpoints: also.length + 1,
      pValue,
    },
  };
}

/** Builds a finding's id. `value` identifies the changed part of the requests. */
function buildChangeId(change: ReportedChange, value: string | undefined): string {
  const { series, signal, before, after, against, releases } = change;
  const { service, environment, method, path, part } = series;
  const about = part && { name: part.name, value };
  const ofRelease = against === 'release' ? [releases?.after] : [];
  return hashId('changed', signal, after > before, service, environment, method, path, about, ...ofRelease);
}

/** Returns the id that an earlier version of the server gave to a finding about an error; undefined for other findings. */
export function findEarlierChange(change: ReportedChange): EarlierFinding | undefined {
  // The earlier version had no findings that compare releases.
  if (change.against === 'release') return undefined;
  const { part, hours } = change.series;
  if (part?.error === undefined) return undefined;
  const failed = [...hours].flatMap(([hour, { errors }]) => (errors > 0 ? [hour] : []));
  const first = failed.reduce((a, b) => Math.min(a, b), change.start);
  return buildEarlierFinding(buildChangeId(change, part.value), part.error, first * HOUR_MS);
}

function describeChange({ series, signal, before, after }: ReportedChange): string {
  const place = describePlace(series);
  const times = before > 0 ? after / before : 0;
  const many = times < 10 ? times.toFixed(1) : String(Math.round(times));
  switch (signal) {
    case 'p50':
      return `${place} ${series.part?.name === 'dependency' ? 'are' : 'is'} ${many}× slower than at the same hours of earlier days`;
    case 'p95':
    case 'p99':
      return `The slowest requests of ${place} take longer: ${FIGURES[signal].name} ${many}× as long as before`;
    case 'errorRate':
      return describeErrors(series, `${formatRate(after)} instead of ${formatRate(before)}`);
    case 'requests':
      if (after === 0) return `${place} no longer gets traffic`;
      if (before === 0)
        return `${place} has a traffic spike: ${formatCounted(after, 'request')}, usually none`;
      return after > before
        ? `${place} has a traffic spike: ${many}× as many requests`
        : `${place} has a traffic drop: fewer requests than usual`;
    case 'memory':
      return `The heap of ${place} is ${many}× as large as before`;
    case 'eventLoopDelay':
      return `The event loop of ${place} is delayed ${many}× as long as before`;
    case 'responseSize':
      return `${place} has larger responses: ${many}× as many bytes as before`;
    case 'cpu':
      return `The CPU usage of ${place} is ${many}× as high as before`;
    case 'calls':
      return `${series.method} ${series.path} calls ${series.part?.value} more often: ${after} calls per request instead of ${before}`;
    case 'cacheMisses':
      return `${series.method} ${series.path} misses the cache more often: ${formatRate(after)} of the requests that read the cache, instead of ${formatRate(before)}, call ${series.part?.value}`;
  }
}

/**
 * Returns the endpoint of a series. For a series about a dependency of a whole service, returns the endpoint that calls the dependency, if
 * only one endpoint calls it.
 */
function findOnlyEndpoint(series: HourSeries): EndpointPlace {
  const [caller, ...others] = series.callers ?? [];
  return caller === undefined || others.length > 0 ? series : caller;
}

function describePlace(series: HourSeries): string {
  const { service, part } = series;
  const { method, path } = findOnlyEndpoint(series);
  const place = path === '' ? service || 'the service' : `${method} ${path}`;
  switch (part?.name) {
    case undefined:
    case 'error':
      return place;
    case 'dependency':
      return `Calls from ${place} to ${part.value}`;
    case 'country':
    case 'instance':
    case 'attribute':
    case 'user':
      return `${place} ${describePart({ name: part.name, value: part.value })}`;
  }
}

function describeErrors(series: HourSeries, rates: string): string {
  const { method, path, part } = series;
  if (part?.name === 'dependency') return `${describePlace(series)} fail more often: ${rates}`;
  if (part?.name === 'error') return `${method} ${path} fails more often with “${part.value}”: ${rates}`;
  return `${describePlace(series)} has a higher error rate: ${rates}`;
}

const roundBytes = (bytes: number) => formatBytes(Math.round(bytes));
const FIGURES = {
  p50: { name: 'Median', format: formatDuration },
  p95: { name: 'P95', format: formatDuration },
  p99: { name: 'P99', format: formatDuration },
  errorRate: { name: 'Failed requests', format: formatRate },
  memory: { name: 'Median heap', format: roundBytes },
  eventLoopDelay: { name: 'Median delay', format: formatDuration },
  responseSize: { name: 'Median size', format: roundBytes },
  cacheMisses: { name: 'Cache misses', format: formatRate },
  cpu: { name: 'Median CPU usage', format: formatRate },
  calls: { name: 'Median calls per request', format: formatCount },
} as const;

function describeFigures(change: ReportedChange): string {
  const { signal, before, after, window, series, against, releases } = change;
  const inEnvironment = series.environment === '' ? '' : ` in ${series.environment}`;
  const hours = window.until - window.from;
  const range = hours === 1 ? 'the last hour' : `the last ${hours} hours`;
  if (signal === 'requests') {
    return `${formatCounted(after, 'request')} in ${range}${inEnvironment}; usually ${formatCount(before)} at these hours.`;
  }
  const { name, format } = FIGURES[signal];
  if (against === 'release' && releases !== null) {
    return `${name} up from ${format(before)} in release ${releases.before} to ${format(after)} in release ${releases.after}${inEnvironment}.`;
  }
  const previous = releases === null ? '' : ` The release before was ${releases.before}.`;
  return `${name} up from ${format(before)} to ${format(after)} in ${range}${inEnvironment}.${previous}`;
}

function describeOthers({ also }: ReportedChange): string {
  if (also.length === 0) return '';
  const named = also.slice(0, MAX_NAMED).map(({ method, path }) => `${method} ${path}`);
  const rest = also.length - named.length;
  return `Also affected: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

function gradeChange({ signal, before, after }: ReportedChange): Severity {
  if (signal === 'requests' && after < before) return after === 0 ? 'high' : 'medium';
  const isLarge = before === 0 || after / before >= LARGE[signal];
  if (signal === 'errorRate') return after >= MANY_FAIL ? 'high' : isLarge ? 'medium' : 'low';
  return isLarge ? 'high' : 'medium';
}

function findLater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
