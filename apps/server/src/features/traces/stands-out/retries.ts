import { formatCount } from '@throughline/contract';
import { isWaiting } from '../../step-patterns/index.ts';
import { type LookedAt, measureShare, measureUnion, type Statement } from './read-request.ts';

/** One failure may be handled by design; two failures of one call, and another call, are a loop. */
const LIMITS = { calls: 3, failures: 2 } as const;

/** A call to another process that failed and was made again by the same caller. */
export function findRetries(request: LookedAt): Statement[] {
  const waiting = request.steps.filter(isWaiting);
  const key = ({ parentStepId, type, name }: (typeof waiting)[number]) =>
    JSON.stringify([parentStepId, type, name]);
  return [...Map.groupBy(waiting, key).values()].flatMap((same) => {
    const failed = same.filter((step) => step.failed);
    const [first] = failed;
    if (first === undefined || same.length < LIMITS.calls || failed.length < LIMITS.failures) return [];
    // Calls side by side are no retries of one another.
    const inOrder = [...same].sort((a, b) => a.startMicros - b.startMicros);
    const follow = inOrder.every((step, at) => {
      const before = inOrder[at - 1];
      return before === undefined || step.startMicros >= before.startMicros + before.durationMicros;
    });
    if (!follow || !isMadeAfterFailures(inOrder)) return [];
    const outcome =
      failed.length === same.length ? 'each call failed' : `${formatCount(failed.length)} failed`;
    return [
      {
        text: `\`${first.name}\` was called ${formatCount(same.length)} times in a row: ${outcome}`,
        stepId: first.stepId,
        weight: 0.5 + measureShare(request, measureUnion(same)) / 2,
      },
    ];
  });
}

/** A loop over a list has failures anywhere; retries end with the first success. */
function isMadeAfterFailures(inOrder: readonly { readonly failed: boolean }[]): boolean {
  return inOrder.slice(0, -1).every((step) => step.failed);
}
