import type { ActiveStep } from '../active-step.ts';
import { watchResult } from './async-end.ts';
import { getCurrentRecording } from './current-recording.ts';
import { endStepsWith, findInnermost, findReturned } from './passed-on.ts';

/**
 * Starts the work of a lazy thenable. If functions have just returned the thenable to the caller, the work is below the innermost of them,
 * and their steps stay open until the started promise settles.
 */
export function startReturned<T>(thenable: object, start: () => T): T {
  const recording = getCurrentRecording();
  const returned = recording && findReturned(recording, recording.current, thenable);
  if (!returned) return start();
  // Safe cast: only active steps return thenables.
  const started = recording.within(findInnermost(returned) as ActiveStep, start);
  try {
    const watched = watchResult(started);
    if (watched !== null) endStepsWith(watched, returned);
  } catch {}
  return started;
}
