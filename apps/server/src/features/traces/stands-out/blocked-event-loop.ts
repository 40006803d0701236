import { formatDuration } from '@throughline/contract';
import { isWaiting } from '../../step-patterns/index.ts';
import { type LookedAt, type LookedAtStep, measureShare, type Statement } from './read-request.ts';

/** A shorter block is not felt by other requests. Milliseconds. */
const MIN_BLOCKED_MS = 100;
/** The step that blocked the loop ran itself for so much of the time. */
const MIN_PART = 0.8;

/** The event loop stood still while a function of this request ran: no other request went on. */
export function findBlockedEventLoop(request: LookedAt): Statement[] {
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

/** The step that ran itself for the time of the block, the one nearest to it. */
function findBlocking(steps: readonly LookedAtStep[], blockedMicros: number): LookedAtStep | undefined {
  let nearest: LookedAtStep | undefined;
  for (const step of steps) {
    if (isWaiting(step) || step.type === 'log' || step.selfMicros < blockedMicros * MIN_PART) continue;
    if (nearest === undefined || step.selfMicros < nearest.selfMicros) nearest = step;
  }
  return nearest;
}
