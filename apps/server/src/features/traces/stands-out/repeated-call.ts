import { formatCount, formatDuration } from '@throughline/contract';
import { buildCallKey, isWaiting } from '../../step-patterns/index.ts';
import {
  type ExaminedStep,
  formatShare,
  measureShare,
  measureUnion,
  type ReadRequest,
  type Statement,
} from '../statements/read-request.ts';

/**
 * Minimum number of calls to another process, and minimum share of the request's time. Fewer calls are probably no loop over a list, and a
 * smaller share is not worth fixing.
 */
const WAITING = { calls: 8, share: 0.1 } as const;
/**
 * Minimum number of calls of a function, and minimum share of their self time in the request's time. Frequent calls of a function are
 * normal; what stands out is their self time.
 */
const FUNCTIONS = { calls: 20, share: 0.3 } as const;

/**
 * Finds a repeated query or call to another process, such as a loop that one call could replace. If there is none, finds a function whose
 * many calls took most of the time.
 */
export function findRepeatedCall(request: ReadRequest): Statement[] {
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

function describeCall(step: ExaminedStep): string {
  return JSON.stringify([step.type, buildCallKey(step)]);
}

interface Limits {
  readonly calls: number;
  readonly share: number;
  readonly micros: number;
}

function describe(request: ReadRequest, same: readonly ExaminedStep[], limits: Limits): Statement[] {
  const calls = same.reduce((sum, step) => sum + step.calls, 0);
  const failed = same.filter((step) => step.failed).length;
  const share = measureShare(request, limits.micros);
  const [first] = same;
  // If most of the calls failed, the calls are retries, which another rule reports.
  if (first === undefined || calls < limits.calls || share < limits.share || failed * 2 > calls) return [];
  const took = `${formatDuration(limits.micros / 1000)}, ${formatShare(share)} of the request`;
  const text = `\`${first.name}\` ran ${formatCount(calls)} times: ${took}`;
  return [{ text, stepId: first.stepId, weight: share }];
}
