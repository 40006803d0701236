import { type FoldEntry, foldRepeats } from '../../visuals/steps/fold-repeats.ts';
import type { StepForest, StepNode } from '../../visuals/steps/step-forest.ts';

/** What is looked at: one step, or a bundle of alike ones. */
export type Selected =
  | { readonly kind: 'step'; readonly node: StepNode }
  | { readonly kind: 'fold'; readonly fold: FoldEntry };

/**
 * What an address selects: a step by its key or `stepId`, or a bundle. What it names not, or no longer, is as if it named
 * nothing: `otherwise` then, else the first; undefined only without steps.
 */
export function findSelected(
  forest: StepForest,
  wanted: string | undefined,
  otherwise: StepNode | undefined,
): Selected | undefined {
  const named = wanted === undefined ? undefined : (findStep(forest, wanted) ?? findFold(forest, wanted));
  return named ?? asStep(otherwise ?? forest.all[0]);
}

function findStep(forest: StepForest, key: string): Selected | undefined {
  return asStep(forest.byKey.get(key) ?? forest.byId.get(key));
}

function asStep(node: StepNode | undefined): Selected | undefined {
  return node === undefined ? undefined : { kind: 'step', node };
}

/** A bundle's key is its first member's behind a mark. */
function findFold(forest: StepForest, key: string): Selected | undefined {
  const first = forest.byKey.get(key.slice(1));
  if (first === undefined) return undefined;
  const fold = foldRepeats(first.parent?.children ?? forest.roots).find(
    (entry): entry is FoldEntry => entry.kind === 'fold' && entry.key === key,
  );
  return fold === undefined ? undefined : { kind: 'fold', fold };
}
