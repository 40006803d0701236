import { type Finding, formatCount, formatDuration, formatRate } from '@throughline/contract';
import { formatInstant } from '../../../ui/time/relative-time.ts';

interface Evidence {
  readonly name: string;
  readonly text: string;
}

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
        against === 'release' ? `release ${release} with ${previousRelease}` : 'with the period before';
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
        { name: 'Effect', text: `Cliff's delta ${effectSize.toFixed(2)}, p ${probability(pValue)}` },
      ];
    }
    case 'outlier': {
      const { own, usualDuration, endpoints, score } = finding.evidence;
      return [
        ...about,
        { name: 'P50', text: `${formatDuration(own.p50Duration)}, usually ${formatDuration(usualDuration)}` },
        { name: 'P95', text: formatDuration(own.p95Duration) },
        {
          name: 'Compared',
          text: `with the medians of ${formatCount(endpoints)} endpoints, score ${score.toFixed(1)}`,
        },
      ];
    }
    case 'newError': {
      const { message, userCount, lastOccurrence } = finding.evidence;
      return [
        ...about,
        { name: 'Message', text: message },
        { name: 'Users', text: formatCount(userCount) },
        { name: 'Last', text: formatInstant(Date.parse(lastOccurrence)) },
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
          text: `${formatDuration(medianDuration)} a request, in ${formatRate(share)} of requests`,
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
          name: 'Would save',
          text: `${formatDuration(medianSaving)} a request, in ${formatRate(share)} of requests`,
        },
      ];
    }
  }
}

function probability(p: number): string {
  return p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`;
}
