import { formatCount } from '@throughline/contract';
import { isWaiting } from '../../step-patterns/index.ts';
import {
  type ExaminedStep,
  measureShare,
  measureUnion,
  type ReadRequest,
  type Statement,
} from './read-request.ts';

/** Maximum number of nested wrappers around a failing call. */
const MAX_DEPTH = 20;
/** A single failure can be expected. Two failures of the same call, followed by another call, are a retry loop. */
const LIMITS = { calls: 3, failures: 2 } as const;

/** Finds a function, or a call to another process, that failed and was called again by the same caller. */
export function findRetries(request: ReadRequest): Statement[] {
  const calls = request.steps.filter((step) => isWaiting(step) || step.type === 'function');
  const key = ({ parentStepId, type, name }: (typeof calls)[number]) =>
    JSON.stringify([parentStepId, type, name]);
  return [...Map.groupBy(calls, key).values()].flatMap((same) => {
    const failed = same.filter((step) => step.failed);
    const [first] = failed;
    if (first === undefined || same.length < LIMITS.calls || failed.length < LIMITS.failures) return [];
    // Concurrent calls are not retries of each other.
    const inOrder = [...same].sort((a, b) => a.startMicros - b.startMicros);
    const follow = inOrder.every((step, at) => {
      const before = inOrder[at - 1];
      return before === undefined || step.startMicros >= before.startMicros + before.durationMicros;
    });
    if (!follow || !isMadeAfterFailures(inOrder)) return [];
    const outcome =
      failed.length === same.length ? 'each call failed' : `${formatCount(failed.length)} failed`;
    const { call, caller } = findFailing(first, request.steps);
    const by = caller === undefined ? '' : ` by \`${caller.name}\``;
    return [
      {
        text: `\`${call.name}\` was called ${formatCount(same.length)} times in a row${by}: ${outcome}`,
        stepId: call.stepId,
        weight: 0.5 + measureShare(request, measureUnion(same)) / 2,
        // If the call goes to another process, the page opens on the function that made the call, because the function's code shows more.
        opening: (isWaiting(call) && caller !== undefined ? caller : call).stepId,
      },
    ];
  });
}

interface FailingCall {
  readonly call: ExaminedStep;
  /** The function that made the call; undefined if `call` is itself the repeated call. */
  readonly caller: ExaminedStep | undefined;
}

/** Finds the call that failed inside a repeated function: the wrapper is retried, but the inner call is the cause. */
function findFailing(first: ExaminedStep, steps: readonly ExaminedStep[]): FailingCall {
  const below = Map.groupBy(
    steps.filter(({ failed }) => failed),
    ({ parentStepId }) => parentStepId,
  );
  let found: FailingCall = { call: first, caller: undefined };
  // Limits the depth, because a client can send a step that is its own ancestor.
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const [next, ...others] = below.get(found.call.stepId) ?? [];
    if (next === undefined || others.length > 0) break;
    found = { call: next, caller: found.call };
  }
  return found;
}

/** True if all calls but the last one failed. Retries end with the first success, but in a loop over a list any call can fail. */
function isMadeAfterFailures(inOrder: readonly { readonly failed: boolean }[]): boolean {
  return inOrder.slice(0, -1).every((step) => step.failed);
}
