import { SLOW_MS, type Trace } from '@throughline/contract';
import { useMemo } from 'react';
import {
  buildStepForest,
  findFailingStep,
  findNextError,
  findSlowestStep,
  type StepForest,
  type StepNode,
} from '../../visuals/steps/step-forest.ts';
import { findSelected, type Selected } from './find-selected.ts';
import { useStepParam } from './use-step-param.ts';

export interface Selection {
  readonly forest: StepForest;
  readonly key: string | undefined;
  readonly selected: Selected | undefined;
  /** Where the request failed, if a step did. */
  readonly failing: StepNode | undefined;
  readonly select: (key: string) => void;
  readonly selectNextError: () => void;
  readonly selectSlowest: () => void;
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
  const forest = useMemo(() => buildStepForest(trace.flow, trace.timing.startTime), [trace]);
  const failing = useMemo(() => findFailingStep(forest, trace.error.errorMessage), [forest, trace]);
  const slow = trace.timing.duration > SLOW_MS;
  const atFirst = useMemo(
    () => failing ?? (slow ? findSlowestStep(forest) : undefined),
    [failing, slow, forest],
  );
  const selected = useMemo(() => findSelected(forest, wanted, atFirst), [forest, wanted, atFirst]);
  const go = (node: StepNode | undefined) => {
    if (node !== undefined) select(node.key);
  };
  return {
    forest,
    key: selected?.kind === 'fold' ? selected.fold.key : selected?.node.key,
    selected,
    failing,
    select,
    selectNextError: () => go(findNextError(forest, selected?.kind === 'step' ? selected.node : undefined)),
    selectSlowest: () => go(findSlowestStep(forest)),
  };
}
