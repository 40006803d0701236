import { formatCount, formatDuration } from '@throughline/contract';
import { isWaiting, whatIsAsked } from '../../step-patterns/index.ts';
import {
  formatShare,
  type LookedAt,
  type LookedAtStep,
  measureShare,
  measureUnion,
  type Statement,
} from './read-request.ts';

/** Fewer calls to another process are no loop over a list, and a smaller share of the request is not worth mending. */
const WAITING = { calls: 8, share: 0.1 } as const;
/** A function may well be called often; it stands out by its own time. */
const FUNCTIONS = { calls: 20, share: 0.3 } as const;

/** The same query or call to another process again and again, a loop where one call would do; else a function whose many calls took the time. */
export function findRepeatedCall(request: LookedAt): Statement[] {
  const waiting = request.steps.filter(isWaiting);
  const found = [...Map.groupBy(waiting, describeCall).values()].flatMap((same) =>
    describe(request, same, { ...WAITING, micros: measureUnion(same) }),
  );
  if (found.length > 0) return found;
  const functions = request.steps.filter(({ type }) => type === 'function' || type === 'custom');
  return [...Map.groupBy(functions, describeCall).values()].flatMap((same) =>
    describe(request, same, {
      ...FUNCTIONS,
      micros: same.reduce((sum, { selfMicros }) => sum + selfMicros, 0),
    }),
  );
}

function describeCall(step: LookedAtStep): string {
  return JSON.stringify([step.type, whatIsAsked(step)]);
}

interface Limits {
  readonly calls: number;
  readonly share: number;
  readonly micros: number;
}

function describe(request: LookedAt, same: readonly LookedAtStep[], limits: Limits): Statement[] {
  const calls = same.reduce((sum, step) => sum + step.calls, 0);
  const failed = same.filter((step) => step.failed).length;
  const share = measureShare(request, limits.micros);
  const [first] = same;
  // Calls that mostly failed are retries.
  if (first === undefined || calls < limits.calls || share < limits.share || failed * 2 > calls) return [];
  const took = `${formatDuration(limits.micros / 1000)}, ${formatShare(share)} of the request`;
  const text = `\`${first.name}\` ran ${formatCount(calls)} times: ${took}`;
  return [{ text, stepId: first.stepId, weight: share }];
}
