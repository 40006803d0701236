import { findBundleByKey, type StepEntry, toEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepForest } from '../../../visuals/steps/analysis/step-forest.ts';

/**
 * Finds the entry that a URL selects: a step by its key or `stepId`, or a bundle of repeated calls. If the URL names no step, or a deleted
 * step, returns `otherwise`, or the first step if `otherwise` is undefined. Returns undefined only if there are no steps.
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
