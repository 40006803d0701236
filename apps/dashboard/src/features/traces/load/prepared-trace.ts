import type { Trace } from '@throughline/contract';
import { type CriticalPath, findCriticalPath } from '../../../visuals/steps/critical-path.ts';
import { buildStepForest, type StepForest } from '../../../visuals/steps/step-forest.ts';
import { nextTurn } from './turns.ts';

/** What is worked out of a trace once, whatever shows it, and goes with it. */
const forests = new WeakMap<Trace, StepForest>();
const paths = new WeakMap<Trace, CriticalPath>();

export function forestOf(trace: Trace): StepForest {
  const known = forests.get(trace);
  if (known !== undefined) return known;
  const forest = buildStepForest(trace.flow, trace.timing.startTime);
  forests.set(trace, forest);
  return forest;
}

export function criticalPathOf(trace: Trace): CriticalPath {
  const known = paths.get(trace);
  if (known !== undefined) return known;
  const path = findCriticalPath(forestOf(trace), trace.timing.duration);
  paths.set(trace, path);
  return path;
}

/** Works it out before the trace is shown, in several turns: all at once would hold the page up where there are many steps. */
export async function prepare(trace: Trace): Promise<void> {
  await nextTurn();
  forestOf(trace);
  await nextTurn();
  criticalPathOf(trace);
  await nextTurn();
}
