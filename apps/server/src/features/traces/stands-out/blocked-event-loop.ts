import { formatDuration } from '@throughline/contract';
import { isWaiting } from '../../step-patterns/index.ts';
import {
  type ExaminedStep,
  measureShare,
  type ReadRequest,
  type Statement,
} from '../statements/read-request.ts';

/** Minimum duration of a block in milliseconds: other requests hardly notice a shorter one. */
const MIN_BLOCKED_MS = 100;
/** The self time of the blocking step, or the duration of the blocking function, must be at least this share of the block's duration. */
const MIN_PART = 0.8;
/**
 * A function that took longer than this number times the block's duration is not named: during most of the function's time, the event loop
 * was free.
 */
const MAX_PARTS = 2;

/** Finds out if the event loop was blocked during this request, and which step probably blocked it. */
export function findBlockedEventLoop(request: ReadRequest): Statement[] {
  const blockedMs = request.trace.event_loop_delay ?? 0;
  if (blockedMs < MIN_BLOCKED_MS) return [];
  const blocked = `The event loop was blocked for ${formatDuration(blockedMs)}`;
  const weight = measureShare(request, blockedMs * 1000);
  const step = findBlocking(request.steps, blockedMs * 1000);
  if (step !== undefined)
    return [{ text: `${blocked} while \`${step.name}\` ran`, stepId: step.stepId, weight }];
  const caller = findCaller(request.steps, blockedMs * 1000);
  if (caller !== undefined)
    return [{ text: `${blocked} while \`${caller.name}\` and its calls ran`, stepId: caller.stepId, weight }];
  return [{ text: blocked, stepId: null, weight }];
}

/**
 * Finds the step that probably blocked the event loop. The step's self time must be at least `MIN_PART` of the block's duration. Of several
 * such steps, returns the step with the shortest self time.
 */
function findBlocking(steps: readonly ExaminedStep[], blockedMicros: number): ExaminedStep | undefined {
  let nearest: ExaminedStep | undefined;
  for (const step of steps) {
    if (isWaiting(step) || step.type === 'log' || step.selfMicros < blockedMicros * MIN_PART) continue;
    if (nearest === undefined || step.selfMicros < nearest.selfMicros) nearest = step;
  }
  return nearest;
}

/**
 * Finds the function that probably blocked the event loop together with its calls, such as many synchronous queries. Of the functions that
 * ran long enough, returns the shortest. If one of these functions called another, the called function is the shorter one.
 */
function findCaller(steps: readonly ExaminedStep[], blockedMicros: number): ExaminedStep | undefined {
  let shortest: ExaminedStep | undefined;
  for (const step of steps) {
    const { durationMicros } = step;
    if (isWaiting(step) || step.type === 'log') continue;
    if (durationMicros < blockedMicros * MIN_PART || durationMicros > blockedMicros * MAX_PARTS) continue;
    // Steps are in start order, so the later of two equally long steps is the deeper one.
    if (shortest === undefined || durationMicros <= shortest.durationMicros) shortest = step;
  }
  return shortest;
}
