import type { Step } from '@throughline/contract';
import { findFirstNode, type StepEntry } from '../../steps/analysis/bundle-repeats.ts';

/** Clocks with µs resolution can show a step as started this much before the previous step ended. Milliseconds. */
const CLOCK_TOLERANCE_MS = 0.005;

/**
 * Splits siblings, which are in start order, into concurrent groups: each step starts while an earlier step of its group is still running.
 * A bundle, or a step that represents several calls, counts as running during its first call only: other steps can run between the later
 * calls.
 */
export function groupConcurrent(entries: readonly StepEntry[]): StepEntry[][] {
  const groups: StepEntry[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const entry of entries) {
    const { startMs, step } = findFirstNode(entry);
    const group = groups.at(-1);
    if (group !== undefined && startMs + CLOCK_TOLERANCE_MS < end) {
      group.push(entry);
      end = Math.max(end, startMs + computeOneCallMs(step));
    } else {
      groups.push([entry]);
      end = startMs + computeOneCallMs(step);
    }
  }
  return groups;
}

function computeOneCallMs({ duration, repeat }: Step): number {
  return repeat === undefined ? duration : duration / repeat.count;
}
