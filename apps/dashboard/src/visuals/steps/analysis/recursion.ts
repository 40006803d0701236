import type { StepNode } from './step-forest.ts';

/** A recursion of at least this many nested calls becomes one row. */
export const MIN_CHAIN = 3;

const known = new WeakMap<StepNode, number>();
/**
 * Caches the next call of the recursion by its caller. Without the cache, measuring each child of a step would search all children of the
 * step again.
 */
const nextCalls = new WeakMap<StepNode, { readonly call: StepNode | undefined }>();

/**
 * Returns the number of nested calls in a recursion if `node` is its first call; otherwise 1. A recursion continues while each call
 * contains exactly one call of the same function.
 */
export function measureChain(node: StepNode): number {
  const before = known.get(node);
  if (before !== undefined) return before;
  const calls = node.parent !== undefined && isNextCall(node.parent, node) ? 1 : countDown(node);
  known.set(node, calls);
  return calls;
}

function countDown(first: StepNode): number {
  let calls = 0;
  for (let at: StepNode | undefined = first; at !== undefined; at = findNextCall(at)) calls += 1;
  return calls;
}

function isNextCall(caller: StepNode, node: StepNode): boolean {
  return isSameFunction(caller, node) && findNextCall(caller) === node;
}

function findNextCall(node: StepNode): StepNode | undefined {
  const before = nextCalls.get(node);
  if (before !== undefined) return before.call;
  const same = node.children.filter((child) => isSameFunction(node, child));
  const call = same.length === 1 ? same[0] : undefined;
  nextCalls.set(node, { call });
  return call;
}

function isSameFunction({ step: one }: StepNode, { step: other }: StepNode): boolean {
  return (
    one.stepName === other.stepName &&
    one.stepType === other.stepType &&
    one.lineNumber === other.lineNumber &&
    one.filePath === other.filePath
  );
}
