import { SLOW_MS, type Trace } from '@throughline/contract';
import { useMemo } from 'react';
import { type CriticalPath, nextOnPath } from '../../visuals/steps/critical-path.ts';
import {
  findFailingStep,
  findNextError,
  findSlowestStep,
  type StepForest,
  type StepNode,
} from '../../visuals/steps/step-forest.ts';
import { findSelected, type Selected } from './find-selected.ts';
import { criticalPathOf, forestOf } from './load/prepared-trace.ts';
import { useStepParam } from './use-step-param.ts';

export interface Selection {
  readonly forest: StepForest;
  readonly critical: CriticalPath;
  readonly key: string | undefined;
  readonly selected: Selected | undefined;
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
export function useSelection(trace: Trace): Selection {
  return useSelectionOf(trace, useStepParam());
}

/** The step that is wanted of a trace; at first the failing one, of a slow trace the slowest, else the first. */
export function useSelectionOf(
  trace: Trace,
  [wanted, select]: readonly [string | undefined, (key: string) => void],
): Selection {
  const forest = forestOf(trace);
  const critical = criticalPathOf(trace);
  const failing = useMemo(() => findFailingStep(forest, trace.error.errorMessage), [forest, trace]);
  const slow = trace.timing.duration > SLOW_MS;
  const atFirst = useMemo(
    () => failing ?? (slow ? findSlowestStep(forest) : undefined),
    [failing, slow, forest],
  );
  const selected = useMemo(() => findSelected(forest, wanted, atFirst), [forest, wanted, atFirst]);
  const current = selected?.kind === 'step' ? selected.node : undefined;
  const go = (node: StepNode | undefined) => {
    if (node !== undefined) select(node.key);
  };
  return {
    forest,
    critical,
    key: selected?.kind === 'fold' ? selected.fold.key : selected?.node.key,
    selected,
    failing,
    select,
    jump: {
      firstError: () => go(failing),
      nextError: () => go(findNextError(forest, current)),
      slowest: () => go(findSlowestStep(forest)),
      nextCritical: () => go(nextOnPath(critical, current)),
    },
  };
}
