import { formatCount, formatDuration } from '@throughline/contract';
import { isWaiting, whatIsAsked } from '../../step-patterns/index.ts';
import { formatShare, type LookedAt, measureShare, measureUnion, type Statement } from './read-request.ts';

/** Fewer calls are no loop over a list, and a smaller share of the request is not worth mending. */
const LIMITS = { calls: 8, share: 0.1 } as const;

/** The same query or call to another process again and again: a loop where one call would do. */
export function findRepeatedCall(request: LookedAt): Statement[] {
  const waiting = request.steps.filter(isWaiting);
  return [...Map.groupBy(waiting, (step) => JSON.stringify([step.type, whatIsAsked(step)])).values()].flatMap(
    (same) => {
      const calls = same.reduce((sum, step) => sum + step.calls, 0);
      const failed = same.filter((step) => step.failed).length;
      const micros = measureUnion(same);
      const share = measureShare(request, micros);
      const [first] = same;
      // Calls that mostly failed are retries.
      if (first === undefined || calls < LIMITS.calls || share < LIMITS.share || failed * 2 > calls)
        return [];
      const took = `${formatDuration(micros / 1000)}, ${formatShare(share)} of the request`;
      return [
        {
          text: `\`${first.name}\` ran ${formatCount(calls)} times: ${took}`,
          stepId: first.stepId,
          weight: share,
        },
      ];
    },
  );
}
