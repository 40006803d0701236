import type { Trace } from '@throughline/contract';
import { type CriticalPath, criticalPathWork } from '../../../visuals/steps/critical-path.ts';
import { foldRepeatsWork } from '../../../visuals/steps/fold-repeats.ts';
import { type StepForest, stepForestWork } from '../../../visuals/steps/step-forest.ts';
import { atOnce, type Work } from '../../../visuals/work/work.ts';

/** What is worked out of a trace once, whatever shows it, and goes with it. */
interface Prepared {
  readonly forest: StepForest;
  readonly critical: CriticalPath;
}

const prepared = new WeakMap<Trace, Prepared>();

export function forestOf(trace: Trace): StepForest {
  return preparedOf(trace).forest;
}

export function criticalPathOf(trace: Trace): CriticalPath {
  return preparedOf(trace).critical;
}

function preparedOf(trace: Trace): Prepared {
  return prepared.get(trace) ?? atOnce(preparationOf(trace));
}

/** So many siblings are folded beforehand: fewer take no time to speak of. */
const FOLDED_BEFORE_FROM = 1000;

/** Works it out before the trace is shown: all at once would hold the page up where there are many steps. */
export function* preparationOf(trace: Trace): Work<Prepared> {
  const forest = yield* stepForestWork(trace.flow, trace.timing.startTime);
  const critical = yield* criticalPathWork(forest, trace.timing.duration);
  for (const siblings of [forest.roots, ...forest.all.map(({ children }) => children)]) {
    if (siblings.length >= FOLDED_BEFORE_FROM) yield* foldRepeatsWork(siblings);
  }
  const result = { forest, critical };
  prepared.set(trace, result);
  return result;
}
