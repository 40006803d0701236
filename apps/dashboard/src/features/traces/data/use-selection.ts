import { isErrorTrace } from '@throughline/contract';
import { useMemo } from 'react';
import { type CriticalPath, nextOnPath } from '../../../visuals/steps/analysis/critical-path.ts';
import { firstNode, type StepEntry } from '../../../visuals/steps/analysis/fold-repeats.ts';
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
import { useStepParam } from './use-step-param.ts';

export interface Selection {
  readonly forest: StepForest;
  readonly critical: CriticalPath;
  readonly key: string | undefined;
  /** One step, or a bundle of alike ones. */
  readonly selected: StepEntry | undefined;
  /** Where the request failed, if a step did. */
  readonly failing: StepNode | undefined;
  readonly select: (key: string) => void;
  /** Ways to the steps that matter most. */
  readonly jump: {
    readonly firstError: () => void;
    readonly nextError: () => void;
    readonly slowest: () => void;
    readonly nextCritical: () => void;
  };
}

/** The selected step of a trace, kept in the address. */
export function useSelection(loaded: LoadedTrace): Selection {
  return useTraceSelection(loaded, useStepParam());
}

/** The wanted step of a trace; until one is chosen, the one that the trace opens on. */
export function useTraceSelection(
  { trace, usual, differing }: LoadedTrace,
  [wanted, select]: readonly [string | undefined, (key: string) => void],
): Selection {
  const { forest, critical, slowest } = prepareTrace(trace);
  const failing = useMemo(() => findFailingStep(forest, trace.error.errorMessage), [forest, trace]);
  const atFirst = useMemo(() => {
    const failed = isErrorTrace(trace.response.statusCode, trace.error.hasError);
    const slow = isSlow(trace.timing.duration, usual);
    return findOpeningEntry({
      forest,
      differing: differing === undefined ? undefined : forest.byId.get(differing),
      failing: failed ? failing : undefined,
      slowest: slow ? slowest : undefined,
    });
  }, [trace, usual, differing, forest, failing, slowest]);
  const selected = useMemo(() => findSelected(forest, wanted, atFirst), [forest, wanted, atFirst]);
  const current = selected && firstNode(selected);
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
