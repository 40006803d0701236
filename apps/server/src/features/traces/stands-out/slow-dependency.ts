import { formatDuration } from '@throughline/contract';
import { isWaiting } from '../../step-patterns/index.ts';
import { formatShare, measureShare, type ReadRequest, type Statement } from '../statements/read-request.ts';

const LIMITS = { micros: 100_000, share: 0.5 } as const;

/** Finds one call to another process that took most of the request's time. */
export function findSlowDependency(request: ReadRequest): Statement[] {
  const [slowest] = request.steps
    .filter((step) => isWaiting(step) && step.calls === 1)
    .sort((a, b) => b.durationMicros - a.durationMicros);
  if (slowest === undefined || slowest.durationMicros < LIMITS.micros) return [];
  const share = measureShare(request, slowest.durationMicros);
  if (share < LIMITS.share) return [];
  return [
    {
      text: `\`${slowest.name}\` took ${formatDuration(slowest.durationMicros / 1000)}, ${formatShare(share)} of the request`,
      stepId: slowest.stepId,
      weight: share,
    },
  ];
}
