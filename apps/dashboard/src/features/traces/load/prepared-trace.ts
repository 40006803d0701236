import type { Trace } from '@throughline/contract';
import { bundleRepeatsWork, type StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { type CriticalPath, findCriticalPathWork } from '../../../visuals/steps/analysis/critical-path.ts';
import { findSlowestCallsWork } from '../../../visuals/steps/analysis/slowest-calls.ts';
import { type StepForest, stepForestWork } from '../../../visuals/steps/analysis/step-forest.ts';
import { runWithoutPauses, type Work } from '../../../visuals/work/work.ts';

/** Results computed once for a trace, shared by all views of the trace and deleted with it. */
interface PreparedTrace {
  readonly forest: StepForest;
  readonly critical: CriticalPath;
  /** The step, or the bundle of repeated calls, with the most self time. Undefined if no step has self time. */
  readonly slowest: StepEntry | undefined;
}

const prepared = new WeakMap<Trace, PreparedTrace>();

export function prepareTrace(trace: Trace): PreparedTrace {
  return prepared.get(trace) ?? runWithoutPauses(prepareWork(trace));
}

/** With at least this many siblings, repeated siblings are bundled before the trace is shown; bundling fewer takes negligible time. */
const BUNDLED_BEFORE_FROM = 1000;

/** Computes the results before the trace is shown, with pauses: with many steps, computing them in one piece would block the page. */
export function* prepareWork(trace: Trace): Work<PreparedTrace> {
  const forest = yield* stepForestWork(trace);
  const critical = yield* findCriticalPathWork(forest, trace.timing.duration);
  for (const siblings of [forest.roots, ...forest.all.map(({ children }) => children)]) {
    if (siblings.length >= BUNDLED_BEFORE_FROM) yield* bundleRepeatsWork(siblings);
  }
  const slowest = yield* findSlowestCallsWork(forest);
  const result = { forest, critical, slowest };
  prepared.set(trace, result);
  return result;
}
