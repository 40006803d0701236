import type { TraceRow, TraceSort } from '@throughline/contract';

/** The value of a row by which each order sorts, the largest first. */
export const RANKS: Readonly<Record<TraceSort, (row: TraceRow) => string | number>> = {
  time: ({ timing }) => timing.startTime,
  duration: ({ timing }) => timing.duration,
  steps: ({ stepCount }) => stepCount,
};

export function buildFlow(count: number, startTime: string) {
  return Array.from({ length: count }, (_, index) => ({
    stepId: `s${index}`,
    stepName: `step ${index}`,
    startTime,
    duration: 0,
  }));
}
