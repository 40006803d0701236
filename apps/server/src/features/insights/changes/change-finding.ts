import {
  type Finding,
  formatCount,
  formatDuration,
  formatRate,
  microsToInstant,
  type TraceLink,
} from '@throughline/contract';
import { type Scope, traceLink } from '../../analytics/index.ts';
import type { ListExtent } from '../../traces/index.ts';
import { filterEndpoint, hashId } from '../findings.ts';
import type { GroupedChange } from './group-changes.ts';
import { HOUR_MICROS } from './hour-series.ts';

/** So many other endpoints are named. */
const MAX_NAMED = 3;
const LARGE = { p50: 3, p99: 5, errorRate: 5, requests: 5 } as const;
/** Percent of failed requests at which a finding is severe. */
const MANY_FAIL = 10;

type Severity = Finding['severity'];

/** The link to the requests since a change; for an endpoint that is silent, to those before. */
export function changeLink(scope: Scope, { series, start, signal, after }: GroupedChange): TraceLink {
  const { part } = series;
  const isSilent = signal === 'requests' && after === 0;
  return traceLink(scope, {
    ...filterEndpoint(series),
    ...(part !== null && { [part.name]: part.value }),
    ...(signal === 'errorRate' && { status: 'error' }),
    ...(!isSilent && { startDate: microsToInstant(max(BigInt(start) * HOUR_MICROS, scope.reading.from)) }),
  });
}

/** `shown` is what {@link changeLink} shows; undefined where nothing is left. */
export function changeFinding(
  change: GroupedChange,
  traces: TraceLink,
  shown: ListExtent | undefined,
  examples: readonly string[],
): Finding {
  const { series, signal, before, after, also, window, start, requestsBefore, requestsAfter, pValue } =
    change;
  const { service, environment, method, path, part } = series;
  const isSilent = signal === 'requests' && after === 0;
  const began = BigInt(start) * HOUR_MICROS;
  return {
    kind: 'changed',
    id: hashId('changed', signal, after > before, service, environment, method, path, part),
    title: describeChange(change),
    detail: [describeFigures(change), describeOthers(change)].filter((text) => text !== '').join(' '),
    severity: gradeChange(change),
    service,
    endpoint: { method, path },
    since: microsToInstant(isSilent || shown === undefined ? began : shown.first),
    requestCount: shown?.requests ?? 0,
    traces,
    exampleTraceIds: [...examples],
    evidence: {
      signal,
      environment,
      part,
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

function describeChange({ series, signal, before, after }: GroupedChange): string {
  const { method, path } = series;
  const place = `${method} ${path}${describePart(series.part)}`;
  const times = before > 0 ? after / before : 0;
  const many = times < 10 ? times.toFixed(1) : String(Math.round(times));
  switch (signal) {
    case 'p50':
      return `${place} is ${many}× slower than at the same hours before`;
    case 'p99':
      return `The slowest requests of ${place} take longer: P99 ${many}× as long as before`;
    case 'errorRate':
      return `${place} has a higher error rate: ${formatRate(after)} instead of ${formatRate(before)}`;
    case 'requests':
      if (after === 0) return `${place} gets no traffic any more`;
      return after > before
        ? `${place} has a traffic spike: ${many}× as many requests`
        : `${place} has a traffic drop: fewer requests than usual`;
  }
}

function describePart(part: GroupedChange['series']['part']): string {
  if (part === null) return '';
  return part.name === 'country' ? ` from country ${part.value}` : ` on instance ${part.value}`;
}

function describeFigures({ signal, before, after, window, series }: GroupedChange): string {
  const inEnvironment = series.environment === '' ? '' : ` in ${series.environment}`;
  const hours = window.until - window.from;
  const range = hours === 1 ? 'the last hour' : `the last ${hours} hours`;
  switch (signal) {
    case 'p50':
      return `Median up from ${formatDuration(before)} to ${formatDuration(after)} in ${range}${inEnvironment}.`;
    case 'p99':
      return `P99 up from ${formatDuration(before)} to ${formatDuration(after)} in ${range}${inEnvironment}.`;
    case 'errorRate':
      return `Failed requests up from ${formatRate(before)} to ${formatRate(after)} in ${range}${inEnvironment}.`;
    case 'requests':
      return `${formatCount(after)} requests in ${range}${inEnvironment}; usually ${formatCount(before)} at these hours.`;
  }
}

function describeOthers({ also }: GroupedChange): string {
  if (also.length === 0) return '';
  const named = also.slice(0, MAX_NAMED).map(({ method, path }) => `${method} ${path}`);
  const rest = also.length - named.length;
  return `Also ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

function gradeChange({ signal, before, after }: GroupedChange): Severity {
  if (signal === 'requests' && after < before) return after === 0 ? 'high' : 'medium';
  const isLarge = before === 0 || after / before >= LARGE[signal];
  if (signal === 'errorRate') return after >= MANY_FAIL ? 'high' : isLarge ? 'medium' : 'low';
  return isLarge ? 'high' : 'medium';
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
