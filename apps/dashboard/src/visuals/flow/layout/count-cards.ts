import { bundleRepeats } from '../../steps/analysis/bundle-repeats.ts';
import type { StepForest, StepNode } from '../../steps/analysis/step-forest.ts';

/** True if the call-by-call graph has more cards than `limit`, with repeated calls counted as one card. */
export function hasMoreCards(forest: StepForest, limit: number): boolean {
  let cards = 0;
  const pending: (readonly StepNode[])[] = [forest.roots];
  for (let siblings = pending.pop(); siblings !== undefined; siblings = pending.pop()) {
    const entries = bundleRepeats(siblings);
    cards += entries.length;
    if (cards > limit) return true;
    for (const entry of entries) {
      if (entry.kind === 'step' && entry.node.children.length > 0) pending.push(entry.node.children);
    }
  }
  return false;
}
