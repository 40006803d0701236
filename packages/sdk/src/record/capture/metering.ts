import type { ActiveStep } from '../active-step.ts';
import type { FunctionSite, InstrumentedSite } from '../types.ts';

/** The members of a recording that a meter uses. */
export interface MeteredRecording {
  /** Functions that were recorded partly or not at all, to stay within the budget. */
  readonly lowered: Map<FunctionSite, 'structure' | 'off'>;
  enter(
    site: InstrumentedSite,
    outer: ActiveStep | null,
    inputs: readonly unknown[] | undefined,
  ): ActiveStep | null;
}

/** Measures the cost of recording and decides how much of each function is recorded. */
export interface Meter {
  /** True if the meter can reduce what is recorded of a request. `withValues` is true if the request's values are captured. */
  measures(withValues: boolean): boolean;
  /** Called in place of {@link MeteredRecording.enter}. If the function is recorded, this method calls `MeteredRecording.enter` itself. */
  enter(
    recording: MeteredRecording,
    site: InstrumentedSite,
    outer: ActiveStep | null,
    inputs: readonly unknown[] | undefined,
  ): ActiveStep | null;
  /** Called before the end of a frame is recorded. Returns the start time, or -1 if this call is not measured. */
  beginExit(): number;
  /** Called after the end of a frame was recorded, with the time that `beginExit` returned. */
  endExit(step: ActiveStep, started: number): void;
}

/** The process's meter; null if nothing is measured. */
export const metering: { meter: Meter | null } = { meter: null };
