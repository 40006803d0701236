import type { ActiveStep, InstrumentedSite } from '../active-step.ts';
import type { Recording } from '../recording.ts';

/** Measures what recording costs, and decides how much of each function is recorded. */
export interface Meter {
  /** In place of {@link Recording.enter}. */
  enter(
    recording: Recording,
    site: InstrumentedSite,
    outer: ActiveStep | null,
    inputs: readonly unknown[] | undefined,
  ): ActiveStep | null;
  /** Before a frame's end is recorded: when that began, or -1 where this one is not measured. */
  beginExit(): number;
  /** After it, with what `beginExit` gave. */
  endExit(step: ActiveStep, started: number): void;
}

/** The one meter of this process; null where nothing is measured. */
export const metering: { meter: Meter | null } = { meter: null };
