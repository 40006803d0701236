import { useMemo } from 'react';
import { findFirstNode, type StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { type CriticalPath, nextOnPath } from '../../../visuals/steps/analysis/critical-path.ts';
import {
  findFailingStep,
  findNextError,
  type StepForest,
  type StepNode,
} from '../../../visuals/steps/analysis/step-forest.ts';
import { prepareTrace } from '../load/prepared-trace.ts';
import { findSelected } from '../opening/find-selected.ts';
import { isSlow } from '../opening/is-slow.ts';
import { findOpeningEntry } from '../opening/opening-entry.ts';
import type { LoadedTrace } from './queries.ts';
import { useLateCause } from './use-late-cause.ts';
import { useStepParam } from './use-step-param.ts';

export interface Selection {
  readonly forest: StepForest;
  readonly critical: CriticalPath;
  readonly key: string | undefined;
  /** A step, or a bundle of repeated calls. */
  readonly selected: StepEntry | undefined;
  /** The step where the request failed, or whose error was handled; undefined if no step threw. */
  readonly failing: StepNode | undefined;
  readonly select: (key: string) => void;
  /** Functions that select the first or next error, the slowest step, or the next step of the critical path. */
  readonly jump: {
    readonly firstError: () => void;
    readonly nextError: () => void;
    readonly slowest: () => void;
    readonly nextCritical: () => void;
  };
}

/** The selected step of a trace, stored in the URL. */
export function useSelection(loaded: LoadedTrace): Selection {
  const late = useLateCause(loaded.trace._id);
  return useTraceSelection({ ...loaded, cause: loaded.cause ?? late }, useStepParam());
}

/** Returns the selected step of a trace or, until the user selects a step, the step on which the trace opens. */
export function useTraceSelection(
  { trace, usual, cause }: LoadedTrace,
  [wanted, select]: readonly [string | undefined, (key: string) => void],
): Selection {
  const { forest, critical, slowest } = prepareTrace(trace);
  const failing = useMemo(() => findFailingStep(forest, trace.error.errorMessage), [forest, trace]);
  const atFirst = useMemo(() => {
    const slow = isSlow(trace.timing.duration, usual);
    return findOpeningEntry({
      forest,
      cause: cause && forest.byId.get(cause.stepId),
      isCauseRepeated: cause?.isRepeated ?? false,
      failing: forest.thrownAs === 'failed' ? failing : undefined,
      slowest: slow ? slowest : undefined,
    });
  }, [trace, usual, cause, forest, failing, slowest]);
  const selected = useMemo(() => findSelected(forest, wanted, atFirst), [forest, wanted, atFirst]);
  const current = selected && findFirstNode(selected);
  const go = (to: Pick<StepEntry, 'key'> | undefined) => {
    if (to !== undefined) select(to.key);
  };
  return {
    forest,
    critical,
    key: selected?.key,
    selected,
    failing,
    select,
    jump: {
      firstError: () => go(failing),
      nextError: () => go(findNextError(forest, current)),
      slowest: () => go(slowest),
      nextCritical: () => go(nextOnPath(critical, current)),
    },
  };
}
