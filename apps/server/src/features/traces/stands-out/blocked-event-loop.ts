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
/** The self time of the blocking step must be at least this share of the block. */
const MIN_PART = 0.8;

/** Finds out if the event loop was blocked during this request, and which step probably blocked it. */
export function findBlockedEventLoop(request: ReadRequest): Statement[] {
  const blockedMs = request.trace.event_loop_delay ?? 0;
  if (blockedMs < MIN_BLOCKED_MS) return [];
  const step = findBlocking(request.steps, blockedMs * 1000);
  const blocked = `The event loop was blocked for ${formatDuration(blockedMs)}`;
  return [
    {
      text: step === undefined ? blocked : `${blocked} while \`${step.name}\` ran`,
      stepId: step?.stepId ?? null,
      weight: measureShare(request, blockedMs * 1000),
    },
  ];
}

/**
 * Finds the step that probably blocked the event loop. Its self time must be at least `MIN_PART` of the block; of several such steps,
 * returns the one with the shortest self time.
 */
function findBlocking(steps: readonly ExaminedStep[], blockedMicros: number): ExaminedStep | undefined {
  let nearest: ExaminedStep | undefined;
  for (const step of steps) {
    if (isWaiting(step) || step.type === 'log' || step.selfMicros < blockedMicros * MIN_PART) continue;
    if (nearest === undefined || step.selfMicros < nearest.selfMicros) nearest = step;
  }
  return nearest;
}
