import type { Trace } from '@throughline/contract';
import { useMemo } from 'react';
import { useChangeView, useViewParams } from '../../shell/search-params.ts';
import { type FoldEntry, foldRepeats } from '../../visuals/steps/fold-repeats.ts';
import {
  buildStepForest,
  findFailingStep,
  findNextError,
  findSlowestStep,
  type StepForest,
  type StepNode,
} from '../../visuals/steps/step-forest.ts';

/** What is looked at: one step, or a bundle of alike ones. */
export type Selected =
  | { readonly kind: 'step'; readonly node: StepNode }
  | { readonly kind: 'fold'; readonly fold: FoldEntry };

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

/** The selected step of a trace, kept in the address; at first the failing one, else the first. */
export function useSelection(trace: Trace): Selection {
  const { step: wanted } = useViewParams();
  const change = useChangeView();
  const forest = useMemo(() => buildStepForest(trace.flow, trace.timing.startTime), [trace]);
  const failing = useMemo(() => findFailingStep(forest, trace.error.errorMessage), [forest, trace]);
  const selected = useMemo(
    () => find(forest, wanted) ?? asStep(failing ?? forest.all[0]),
    [forest, wanted, failing],
  );
  const select = (step: string) => change({ step }, { replace: true });
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

function asStep(node: StepNode | undefined): Selected | undefined {
  return node === undefined ? undefined : { kind: 'step', node };
}

function find(forest: StepForest, key: string | undefined): Selected | undefined {
  if (key === undefined) return undefined;
  const node = forest.byKey.get(key) ?? forest.byId.get(key);
  if (node !== undefined) return { kind: 'step', node };
  // A bundle's key is its first member's behind a mark.
  const first = forest.byKey.get(key.slice(1));
  const siblings = first?.parent?.children ?? forest.roots;
  const fold = foldRepeats(siblings).find(
    (entry): entry is FoldEntry => entry.kind === 'fold' && entry.key === key,
  );
  return fold === undefined ? undefined : { kind: 'fold', fold };
}
