import type { Step } from '@throughline/contract';
import { firstNode, type StepEntry } from '../../steps/analysis/fold-repeats.ts';

/** Clocks read in µs may show a step as begun this much before the one ahead of it ended. Milliseconds. */
const CLOCK_TOLERANCE_MS = 0.005;

/**
 * Splits siblings in start order into groups that ran side by side: each begins before all ahead of it in the group have ended.
 * A bundle counts with its first member alone, and a step that stands for many calls with one of them, since the rest may lie scattered among others.
 */
export function groupConcurrent(entries: readonly StepEntry[]): StepEntry[][] {
  const groups: StepEntry[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const entry of entries) {
    const { startMs, step } = firstNode(entry);
    const group = groups.at(-1);
    if (group !== undefined && startMs + CLOCK_TOLERANCE_MS < end) {
      group.push(entry);
      end = Math.max(end, startMs + oneCallMs(step));
    } else {
      groups.push([entry]);
      end = startMs + oneCallMs(step);
    }
  }
  return groups;
}

function oneCallMs({ duration, repeat }: Step): number {
  return repeat === undefined ? duration : duration / repeat.count;
}
