import {
  type Finding,
  formatBytes,
  formatCount,
  formatCounted,
  formatDuration,
  formatRate,
} from '@throughline/contract';
import { formatInstant } from '../../../ui/time/relative-time.ts';

interface Evidence {
  readonly name: string;
  readonly text: string;
}

const FIGURES = {
  p50: { name: 'P50', format: formatDuration },
  p95: { name: 'P95', format: formatDuration },
  p99: { name: 'P99', format: formatDuration },
  errorRate: { name: 'Failed', format: formatRate },
  requests: { name: 'Requests', format: formatCount },
  memory: { name: 'Heap', format: formatBytes },
  eventLoopDelay: { name: 'Event loop delay', format: formatDuration },
  responseSize: { name: 'Response size', format: formatBytes },
  cacheMisses: { name: 'Cache misses', format: formatRate },
  cpu: { name: 'CPU usage', format: formatRate },
  calls: { name: 'Calls per request', format: formatCount },
} as const;

/** The requests that were compared for a finding, by the signal that changed. For signals without an entry, all requests were compared. */
const COMPARED: Readonly<Record<string, string>> = {
  cacheMisses: 'Requests that read the cache',
  calls: 'Requests with calls',
};

const PARTS = {
  country: 'Country',
  instance: 'Instance',
  attribute: 'Attribute',
  user: 'User',
  error: 'Error',
  dependency: 'Dependency',
} as const;

/** The evidence of a finding, one fact per line. */
export function listEvidence(finding: Finding): readonly Evidence[] {
  const about: Evidence[] =
    finding.endpoint === null
      ? []
      : [{ name: 'Endpoint', text: `${finding.endpoint.method} ${finding.endpoint.path}` }];
  switch (finding.kind) {
    case 'slower': {
      const { before, after, effectSize, pValue, against, release, previousRelease } = finding.evidence;
      const compared =
        against === 'release' ? formatReleases(release, previousRelease) : 'with the previous period';
      return [
        ...about,
        { name: 'Compared', text: compared },
        {
          name: 'P50',
          text: `${formatDuration(before.p50Duration)} before, ${formatDuration(after.p50Duration)} now`,
        },
        {
          name: 'P95',
          text: `${formatDuration(before.p95Duration)} before, ${formatDuration(after.p95Duration)} now`,
        },
        {
          name: 'Requests',
          text: `${formatCount(before.requestCount)} before, ${formatCount(after.requestCount)} now`,
        },
        {
          name: 'Effect',
          text: `Cliff's delta ${effectSize.toFixed(2)} (1 if all requests are slower, 0 if nothing changed)`,
        },
        { name: 'Significance', text: `p ${formatProbability(pValue)}` },
      ];
    }
    case 'changed': {
      const { signal, environment, part, before, after, requestsBefore, requestsAfter, pValue } =
        finding.evidence;
      const { name, format } = FIGURES[signal];
      return [
        ...about,
        ...(environment === '' ? [] : [{ name: 'Environment', text: environment }]),
        ...(part === null ? [] : [{ name: PARTS[part.name], text: part.value }]),
        ...listCompared(finding.evidence),
        { name, text: `${format(before)} before, ${format(after)} now` },
        ...(signal === 'requests'
          ? []
          : [
              {
                name: COMPARED[signal] ?? 'Requests',
                text: `${formatCount(requestsBefore)} before, ${formatCount(requestsAfter)} now`,
              },
            ]),
        { name: 'Significance', text: `p ${formatProbability(pValue)}` },
      ];
    }
    case 'newError': {
      const { environment, part, message, userCount, lastOccurrence } = finding.evidence;
      return [
        ...about,
        ...(environment === null ? [] : [{ name: 'Environment', text: environment }]),
        ...(part === null
          ? []
          : [
              {
                name: PARTS[part.name],
                text:
                  part.value + (part.share === null ? '' : ` (${formatRate(part.share)} of the requests)`),
              },
            ]),
        { name: 'Message', text: message },
        { name: 'Users', text: formatCount(userCount) },
        { name: 'Last seen', text: formatInstant(Date.parse(lastOccurrence)) },
      ];
    }
    case 'repeatedQuery': {
      const { stepName, medianCalls, maxCalls, medianDuration, share } = finding.evidence;
      return [
        ...about,
        { name: 'Step', text: stepName },
        {
          name: 'Calls per request',
          text: `${formatCount(medianCalls)} usually, ${formatCount(maxCalls)} at most`,
        },
        {
          name: 'Takes',
          text: `${formatDuration(medianDuration)} per request, in ${formatRate(share)} of requests`,
        },
      ];
    }
    case 'sequentialAwaits': {
      const { steps, medianSaving, share } = finding.evidence;
      return [
        ...about,
        {
          name: 'Steps',
          text: steps
            .map(({ stepName, medianDuration }) => `${stepName} ${formatDuration(medianDuration)}`)
            .join(', then '),
        },
        {
          name: 'Time saved in parallel',
          text: `${formatDuration(medianSaving)} per request, in ${formatRate(share)} of requests`,
        },
      ];
    }
  }
}

/** Lists the releases or hours that were compared for a finding and, if the change began with a release, that release. */
function listCompared({
  against,
  release,
  previousRelease,
  windowHours,
}: Extract<Finding, { kind: 'changed' }>['evidence']): Evidence[] {
  if (against === 'release') return [{ name: 'Compared', text: formatReleases(release, previousRelease) }];
  const hours = `the last ${formatCounted(windowHours, 'hour')} with the same hours of earlier days`;
  return [
    ...(release === null ? [] : [{ name: 'Release', text: `since ${release}, before ${previousRelease}` }]),
    { name: 'Compared', text: hours },
  ];
}

function formatReleases(release: string | null, previousRelease: string | null): string {
  return `release ${release} with release ${previousRelease}`;
}

function formatProbability(p: number): string {
  return p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`;
}
