import { createHash } from 'node:crypto';
import { type Finding, microsToInstant, type TraceLink } from '@throughline/contract';
import { type ErrorGroup, endpointFilter, type Scope, traceLink } from '../analytics/index.ts';
import type { SeenRequest, Sequence } from '../step-patterns/index.ts';
import type { ListExtent } from '../traces/index.ts';
import { countRequests, durationAt, type Histogram } from './distributions.ts';
import type { EndpointPlace } from './endpoint-key.ts';
import { MANY_CALLS, type Repeated } from './repeated.ts';
import type { Slower } from './slower.ts';

type Severity = Finding['severity'];

/** The number of example requests that a finding links to. */
export const EXAMPLES = 5;
/** The id of a finding: the same for the same parts. */
export const hashId = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
const ms = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
const grade = (value: number, medium: number, high: number): Severity =>
  value >= high ? 'high' : value >= medium ? 'medium' : 'low';

/** The change in percent, such as " (+75 %)"; empty below 10 %. */
function formatGrowth(beforeMs: number, afterMs: number): string {
  if (beforeMs === 0) return '';
  const percent = Math.round((100 * (afterMs - beforeMs)) / beforeMs);
  return percent >= 10 ? ` (+${percent} %)` : '';
}

/** The link to an endpoint's requests since it is slower: with a release, from its beginning on, which may lie before the range. */
export function slowerLink(
  scope: Scope,
  { service, environment, method, path, releases }: Slower,
  since: bigint,
): TraceLink {
  return traceLink(scope, {
    ...filterEndpoint({ service, environment, method, path }),
    ...(releases !== null && { release: releases.after }),
    startDate: microsToInstant(since),
  });
}

/** `shown` is what {@link slowerLink} shows, `examples` some of it. */
export function slowerFinding(
  one: Slower,
  traces: TraceLink,
  shown: ListExtent,
  examples: readonly string[],
): Finding {
  const { service, environment, method, path, releases, effectSize, pValue } = one;
  const before = { ...distribution(one.before), requestCount: one.requestsBefore };
  const after = distribution(one.after);
  const than = releases === null ? 'the period before' : `release ${releases.before}`;
  return {
    kind: 'slower',
    id: hashId('slower', service, environment, method, path, releases?.after ?? ''),
    title: `${method} ${path} is slower than in ${than}`,
    detail: `Median up from ${ms(before.p50Duration)} ms to ${ms(after.p50Duration)} ms${formatGrowth(before.p50Duration, after.p50Duration)}. A request now is slower than one before in ${Math.round(50 * (effectSize + 1))} of 100 comparisons.`,
    severity: grade(effectSize, 0.33, 0.474),
    ...ofEndpoint({ service, method, path }, traces, shown, examples),
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

/** The common parts of a finding about an endpoint: place, start, frequency, and example requests. */
function ofEndpoint(
  { service, method, path }: Pick<Slower, 'service' | 'method' | 'path'>,
  traces: TraceLink,
  shown: ListExtent,
  examples: readonly string[],
) {
  return {
    service,
    endpoint: { method, path },
    since: microsToInstant(shown.first),
    requestCount: shown.requests,
    traces,
    exampleTraceIds: [...examples],
  };
}

function distribution(histogram: Histogram) {
  return {
    requestCount: countRequests(histogram),
    p50Duration: durationAt(histogram, 0.5),
    p95Duration: durationAt(histogram, 0.95),
  };
}

export function newErrorFinding(scope: Scope, group: ErrorGroup): Finding {
  return {
    kind: 'newError',
    id: hashId('newError', group.message),
    title: `New error: ${group.message}`,
    detail: `Not seen in the previous period. It fails ${group.endpoints === 1 ? 'one endpoint' : `${group.endpoints} endpoints`}.`,
    severity: grade(group.errors, 5, 20),
    service: '',
    endpoint: null,
    since: microsToInstant(group.first),
    requestCount: group.errors,
    traces: traceLink(scope, {
      status: 'error',
      errorGroup: group.message,
      startDate: microsToInstant(group.first),
      endDate: microsToInstant(group.last),
    }),
    exampleTraceIds: [group.example_id],
    evidence: { message: group.message, userCount: group.users, lastOccurrence: microsToInstant(group.last) },
  };
}

/** The common parts of a finding about steps: place and example requests. */
function ofPattern(requests: readonly SeenRequest[]) {
  const [{ service = '', method = '', path = '' } = {}] = requests;
  return { service, endpoint: { method, path }, exampleTraceIds: listIds(requests).slice(0, EXAMPLES) };
}

const listIds = (requests: readonly SeenRequest[]) => [...new Set(requests.map(({ id }) => id))];

/** Builds the filter of an endpoint's requests; of all environments where none is named, of the service where it names no endpoint. */
export function filterEndpoint({ service, environment, method, path }: EndpointPlace): TraceLink {
  return {
    ...(path !== '' && endpointFilter(method, path)),
    ...(service === '' ? { services: 'unnamed' } : { service }),
    ...(environment !== '' && { environment }),
  };
}

/** The link to all requests of a range in which something is asked again and again, looked at or not. */
export function repeatedLink(scope: Scope, { requests, stepName, stepType }: Repeated): TraceLink {
  const { service, endpoint } = ofPattern(requests);
  return traceLink(scope, {
    ...filterEndpoint({ service, ...endpoint, environment: '' }),
    stepName,
    stepType,
    minCalls: String(MANY_CALLS),
  });
}

/** `shown` is what {@link repeatedLink} shows. */
export function repeatedFinding(one: Repeated, traces: TraceLink, shown: ListExtent): Finding {
  const pattern = ofPattern(one.requests);
  const { method, path } = pattern.endpoint;
  return {
    kind: 'repeatedQuery',
    ...pattern,
    id: hashId('repeatedQuery', pattern.service, method, path, one.stepType, one.stepName),
    title: `N+1: ${one.stepName} runs ${one.medianCalls}× per ${method} ${path}`,
    detail: `It takes ${ms(one.medianMicros / 1000)} ms of a typical request. Batch the calls into one query.`,
    severity: grade(one.medianCalls, 20, 50),
    since: microsToInstant(shown.first),
    requestCount: shown.requests,
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

/** The link to the requests that make the last of some reads in a row, since they are in a row. */
export function sequentialLink(scope: Scope, one: Sequence, since: bigint): TraceLink {
  const { service, endpoint } = ofPattern(one.requests);
  const last = one.steps.at(-1);
  return traceLink(scope, {
    ...filterEndpoint({ service, ...endpoint, environment: '' }),
    ...(last !== undefined && { stepName: last.name }),
    startDate: microsToInstant(since),
  });
}

/** `shown` is what {@link sequentialLink} shows. */
export function sequentialFinding(one: Sequence, traces: TraceLink, shown: ListExtent): Finding {
  const pattern = ofPattern(one.requests);
  const { method, path } = pattern.endpoint;
  const ids = listIds(one.requests);
  const names = one.steps.map(({ name }) => name);
  const saving = one.medianSavingMicros / 1000;
  return {
    kind: 'sequentialAwaits',
    ...pattern,
    id: hashId('sequentialAwaits', pattern.service, method, path, ...one.steps.map(({ asked }) => asked)),
    title: `${names.length} independent awaits run one after another in ${method} ${path}`,
    detail: `${names.join(', then ')}: none uses a result of another. Promise.all would save ${ms(saving)} ms in a typical request. Seen in ${ids.length} of the ${one.looked} newest requests.`,
    severity: grade(saving, 20, 100),
    since: microsToInstant(shown.first),
    requestCount: shown.requests,
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
