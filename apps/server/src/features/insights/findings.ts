import { createHash } from 'node:crypto';
import {
  type Finding,
  formatDuration,
  formatInstant,
  formatRate,
  formatThrownBy,
  type TraceLink,
} from '@throughline/contract';
import { buildEndpointFilter, type Scope, traceLink } from '../analytics/index.ts';
import { readPlace } from '../errors/index.ts';
import type { SeenRequest, Sequence } from '../step-patterns/index.ts';
import type { ListExtent } from '../traces/index.ts';
import { countRequests, findDurationAt, type Histogram } from './distributions.ts';
import type { EndpointPlace } from './endpoint-key.ts';
import type { ErrorUnit } from './error-unit.ts';
import { MANY_CALLS, type Repeated } from './kinds/repeated.ts';
import type { Slower } from './kinds/slower.ts';
import type { SimilarErrors } from './new-errors/choose-new-errors.ts';
import type { ErrorPart } from './new-errors/error-part.ts';
import type { NewErrorRow } from './new-errors/new-errors-store.ts';

type Severity = Finding['severity'];

/** Maximum number of example requests to which a finding links. */
export const EXAMPLES = 5;
/** Returns a finding's id, a hash of `parts`: the same parts give the same id. */
export const hashId = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
const formatMs = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
const grade = (value: number, medium: number, high: number): Severity =>
  value >= high ? 'high' : value >= medium ? 'medium' : 'low';

/** Formats the growth in percent, such as " (+75 %)". Returns an empty string if the growth is below 10 %, or if `beforeMs` is 0. */
function formatGrowth(beforeMs: number, afterMs: number): string {
  if (beforeMs === 0) return '';
  const percent = Math.round((100 * (afterMs - beforeMs)) / beforeMs);
  return percent >= 10 ? ` (+${percent} %)` : '';
}

/**
 * Builds the link to an endpoint's requests since it became slower. If a release is the cause, the link starts at the release's first
 * request, even if this request was before the range.
 */
export function buildSlowerEndpointLink(
  scope: Scope,
  { service, environment, method, path, releases }: Slower,
  since: bigint,
): TraceLink {
  return traceLink(scope, {
    ...filterEndpoint({ service, environment, method, path }),
    ...(releases !== null && { release: releases.after }),
    startDate: formatInstant(since),
  });
}

/**
 * Builds the finding about a slower endpoint. `shown` is the extent of the requests that {@link buildSlowerEndpointLink} shows. `examples`
 * are some of these requests.
 */
export function buildSlowerFinding(
  one: Slower,
  traces: TraceLink,
  shown: ListExtent,
  examples: readonly string[],
): Finding {
  const { service, environment, method, path, releases, effectSize, pValue } = one;
  const before = { ...describeDistribution(one.before), requestCount: one.requestsBefore };
  const after = describeDistribution(one.after);
  const than = releases === null ? 'the previous period' : `release ${releases.before}`;
  return {
    kind: 'slower',
    id: hashId('slower', service, environment, method, path, releases?.after ?? ''),
    title: `${method} ${path} is slower than in ${than}`,
    detail: `Median up from ${formatMs(before.p50Duration)} ms to ${formatMs(after.p50Duration)} ms${formatGrowth(before.p50Duration, after.p50Duration)}. A new request is slower than an earlier one in ${Math.round(50 * (effectSize + 1))} of 100 comparisons.`,
    severity: grade(effectSize, 0.33, 0.474),
    ...describeEndpoint({ service, method, path }, traces, shown, examples),
    evidence: {
      against: releases === null ? 'period' : 'release',
      release: releases?.after ?? null,
      previousRelease: releases?.before ?? null,
      before,
      after,
      effectSize,
      pValue,
    },
  };
}

/** Returns the common fields of a finding about an endpoint: the endpoint, start, frequency, and example requests. */
function describeEndpoint(
  { service, method, path }: Pick<Slower, 'service' | 'method' | 'path'>,
  traces: TraceLink,
  shown: ListExtent,
  examples: readonly string[],
) {
  return {
    service,
    endpoint: { method, path },
    since: formatInstant(shown.first),
    startsWithin: null,
    requestCount: shown.requests,
    userCount: shown.users,
    traces,
    exampleTraceIds: [...examples],
  };
}

function describeDistribution(histogram: Histogram) {
  return {
    requestCount: countRequests(histogram),
    p50Duration: findDurationAt(histogram, 0.5),
    p95Duration: findDurationAt(histogram, 0.95),
  };
}

/**
 * Builds the finding about a new error. `environment` is set if the error is new only in this environment, to which the scope is limited.
 * `part` is set if the error occurs only in this part of the requests. `similar` is set if the error stands for errors with similar
 * messages.
 */
export function buildNewErrorFinding(
  scope: Scope,
  error: NewErrorRow,
  unit: ErrorUnit,
  {
    environment,
    part,
    similar,
  }: {
    readonly environment: string | null;
    readonly part: ErrorPart;
    readonly similar: SimilarErrors | undefined;
  },
): Finding {
  const { error_id: errorId, service_name: service, errors, users, endpoint_count: endpoints } = error;
  const message = similar?.pattern ?? error.message;
  return {
    kind: 'newError',
    id: environment === null ? hashId('newError', errorId) : hashId('newError', errorId, environment),
    title: `New error${environment === null ? '' : ` in ${environment}`}${part === null ? '' : ` ${describePart(part)}`}: ${message}`,
    detail: [
      environment === null
        ? 'Not seen in the previous period.'
        : `Not seen in ${environment} in the previous period, only in other environments.`,
      ...(part === null
        ? []
        : [
            `All its requests are ${describePart(part)}${part.share === null ? '' : `, as are ${formatRate(part.share)} of the service's requests`}.`,
          ]),
      ...(similar === undefined
        ? []
        : [
            `Its ${similar.errors} messages differ only in the words shown as …; the Errors page lists each of them.`,
          ]),
      ...describeThrower(error.place),
      `The error affects ${endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`}.`,
    ].join(' '),
    severity: grade(errors, 5, 20),
    service,
    endpoint: null,
    since: formatInstant(error.first),
    startsWithin: null,
    requestCount: errors,
    userCount: users,
    traces: traceLink(scope, {
      status: 'error',
      ...unit.filter,
      ...('errorGroup' in unit.filter && filterService(service)),
      startDate: formatInstant(error.first),
      endDate: formatInstant(error.last),
    }),
    exampleTraceIds: [error.example],
    evidence: {
      errorId,
      environment,
      part,
      message,
      userCount: users,
      lastOccurrence: formatInstant(error.last),
    },
  };
}

/** Describes which requests a part consists of. */
export function describePart({ name, value }: Pick<NonNullable<ErrorPart>, 'name' | 'value'>): string {
  switch (name) {
    case 'country':
      return `from country ${value}`;
    case 'instance':
      return `on instance ${value}`;
    case 'attribute':
      return `with ${value}`;
    case 'user':
      return `from user ${value}`;
  }
}

function describeThrower(place: string): string[] {
  const thrower = readPlace(place);
  return thrower === null ? [] : [`${formatThrownBy(thrower)}.`];
}

/** Returns the common fields of a finding about steps: the endpoint and example requests. */
function describePattern(requests: readonly SeenRequest[]) {
  const [{ service = '', method = '', path = '' } = {}] = requests;
  return { service, endpoint: { method, path }, exampleTraceIds: listIds(requests).slice(0, EXAMPLES) };
}

const listIds = (requests: readonly SeenRequest[]) => [...new Set(requests.map(({ id }) => id))];

/**
 * Builds the filter for an endpoint's requests. Without an environment, it includes all environments; without a path, all of the service's
 * requests.
 */
export function filterEndpoint({ service, environment, method, path }: EndpointPlace): TraceLink {
  return {
    ...(path !== '' && buildEndpointFilter(method, path)),
    ...filterService(service),
    ...(environment !== '' && { environment }),
  };
}

function filterService(service: string): TraceLink {
  return service === '' ? { services: 'unnamed' } : { service };
}

/** Builds the link to all requests in the range that repeat a query or call, including requests that were not sampled. */
export function buildRepeatedCallsLink(scope: Scope, { requests, stepName, stepType }: Repeated): TraceLink {
  const { service, endpoint } = describePattern(requests);
  return traceLink(scope, {
    ...filterEndpoint({ service, ...endpoint, environment: '' }),
    stepName,
    stepType,
    minCalls: String(MANY_CALLS),
  });
}

/** Builds the finding about a repeated query or call. `shown` is the extent of the requests that {@link buildRepeatedCallsLink} shows. */
export function buildRepeatedFinding(one: Repeated, traces: TraceLink, shown: ListExtent): Finding {
  const pattern = describePattern(one.requests);
  const { method, path } = pattern.endpoint;
  return {
    kind: 'repeatedQuery',
    ...pattern,
    id: hashId('repeatedQuery', pattern.service, method, path, one.stepType, one.stepName),
    title: `N+1: ${one.stepName} runs ${one.medianCalls}× per ${method} ${path}`,
    detail: `It takes ${formatDuration(one.medianMicros / 1000)} of a typical request. Batch the calls into one query.`,
    severity: grade(one.medianCalls, 20, 50),
    since: formatInstant(shown.first),
    startsWithin: null,
    requestCount: shown.requests,
    userCount: shown.users,
    traces,
    evidence: {
      stepName: one.stepName,
      medianCalls: one.medianCalls,
      maxCalls: one.maxCalls,
      medianDuration: one.medianMicros / 1000,
      share: (100 * one.requests.length) / one.looked,
    },
  };
}

/**
 * Builds the link to the requests that contain the last step of a sequence of consecutive reads. The link starts at the time when the reads
 * became consecutive.
 */
export function buildSequentialCallsLink(scope: Scope, one: Sequence, since: bigint): TraceLink {
  const { service, endpoint } = describePattern(one.requests);
  const last = one.steps.at(-1);
  return traceLink(scope, {
    ...filterEndpoint({ service, ...endpoint, environment: '' }),
    ...(last !== undefined && { stepName: last.name }),
    startDate: formatInstant(since),
  });
}

/** Builds the finding about consecutive reads. `shown` is the extent of the requests that {@link buildSequentialCallsLink} shows. */
export function buildSequentialFinding(one: Sequence, traces: TraceLink, shown: ListExtent): Finding {
  const pattern = describePattern(one.requests);
  const { method, path } = pattern.endpoint;
  const ids = listIds(one.requests);
  const names = one.steps.map(({ name }) => name);
  const saving = one.medianSavingMicros / 1000;
  return {
    kind: 'sequentialAwaits',
    ...pattern,
    id: hashId('sequentialAwaits', pattern.service, method, path, ...one.steps.map(({ asked }) => asked)),
    title: `${names.length} independent awaits run one after another in ${method} ${path}`,
    detail: `${names.join(', then ')}: none uses a result of another. Promise.all would save ${formatMs(saving)} ms in a typical request. Seen in ${ids.length} of the ${one.looked} newest requests.`,
    severity: grade(saving, 20, 100),
    since: formatInstant(shown.first),
    startsWithin: null,
    requestCount: shown.requests,
    userCount: shown.users,
    traces,
    evidence: {
      steps: one.steps.map(({ name, medianMicros }) => ({
        stepName: name,
        medianDuration: medianMicros / 1000,
      })),
      medianSaving: saving,
      share: (100 * ids.length) / one.looked,
    },
  };
}
