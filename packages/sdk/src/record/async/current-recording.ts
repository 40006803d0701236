import type { ActiveStep } from '../active-step.ts';
import type { Recording } from '../recording.ts';
import { getCurrentWork } from './work-context.ts';

/** Returns the recording to which the running code belongs. Returns undefined outside of a recording, and after the recording has ended. */
export function getCurrentRecording(): Recording | undefined {
  // Safe cast: only recordings start work.
  const recording = getCurrentWork()?.recording as Recording | undefined;
  return recording === undefined || recording.finished ? undefined : recording;
}

/** Returns the recording of a step; null once the recording is finished. */
export function getRecording(step: ActiveStep): Recording | null {
  // Safe cast: only recordings create steps.
  return step.recording as Recording | null;
}
