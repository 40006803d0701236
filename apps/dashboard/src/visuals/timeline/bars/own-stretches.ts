import { computeExtent, type Stretch } from '../../steps/analysis/step-extent.ts';
import { hasPauses, type StepNode } from '../../steps/analysis/step-forest.ts';

const known = new WeakMap<StepNode, readonly Stretch[]>();

/**
 * Lists the ranges in which a step itself certainly ran, and none of its descendants. The total length of the ranges is the step's self
 * time, unless the step or a child had pauses or represents repeated calls. Such a child counts as running from its start to its end.
 * Such a step has no range if it has children.
 */
export function listOwnStretches(node: StepNode): readonly Stretch[] {
  const before = known.get(node);
  if (before !== undefined) return before;
  const own = findOwnStretches(node);
  known.set(node, own);
  return own;
}

function findOwnStretches(node: StepNode): readonly Stretch[] {
  const whole = computeExtent(node);
  if (node.children.length === 0) return [whole];
  if (hasPauses(node)) return [];
  const own: Stretch[] = [];
  let reached = whole.fromMs;
  for (const child of node.children) {
    const toMs = Math.min(whole.toMs, child.startMs);
    if (toMs > reached) own.push({ fromMs: reached, toMs });
    reached = Math.max(reached, child.endMs);
  }
  if (whole.toMs > reached) own.push({ fromMs: reached, toMs: whole.toMs });
  return own;
}
