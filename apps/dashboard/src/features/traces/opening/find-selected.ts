import { findBundleByKey, type StepEntry, toEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepForest } from '../../../visuals/steps/analysis/step-forest.ts';

/**
 * Finds the entry that a URL selects. `wanted` is a step's key or `stepId`, or the key of a bundle of repeated calls. If `wanted` is
 * undefined or names no entry, returns `otherwise`; without `otherwise`, the first step. Returns undefined if there are no steps.
 */
export function findSelected(
  forest: StepForest,
  wanted: string | undefined,
  otherwise: StepEntry | undefined,
): StepEntry | undefined {
  const named = wanted === undefined ? undefined : findNamed(forest, wanted);
  const [first] = forest.all;
  return named ?? otherwise ?? (first && toEntry(first));
}

function findNamed(forest: StepForest, key: string): StepEntry | undefined {
  const node = forest.byKey.get(key) ?? forest.byId.get(key);
  return node === undefined ? findBundleByKey(forest, key) : toEntry(node);
}
