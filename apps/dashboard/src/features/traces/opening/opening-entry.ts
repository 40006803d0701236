import { type StepEntry, toEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepForest, StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { isOwnCode } from '../../../visuals/steps/own-code.ts';

/** Facts about a trace that decide which step opens. */
export interface Opening {
  readonly forest: StepForest;
  /** The step in which the server locates the cause, such as the first step with a value that differs from successful requests. */
  readonly cause?: StepNode | undefined;
  /** True if the cause is one of many calls that are slow only together. */
  readonly isCauseRepeated?: boolean;
  /** The step where the request failed; undefined for a successful request. */
  readonly failing: StepNode | undefined;
  /** The step, or the bundle of repeated calls, with the most self time. Set only if the request took longer than usual. */
  readonly slowest: StepEntry | undefined;
}

/**
 * Returns the step on which a trace opens. Tries in this order: the step of the cause that the server found, or the bundle of slow calls
 * that contains the step; the failed step; for a slow request, its slowest calls; the longest handler in the user's own code; the longest
 * other step of the user's own code; any handler or top-level step. Returns undefined for a trace without steps.
 */
export function findOpeningEntry({
  forest,
  cause,
  isCauseRepeated = false,
  failing,
  slowest,
}: Opening): StepEntry | undefined {
  if (cause !== undefined)
    return isCauseRepeated && isSlowTogether(cause, slowest) ? slowest : toEntry(cause);
  if (failing !== undefined) return toEntry(failing);
  if (slowest !== undefined) return slowest;
  const node = findHandler(forest) ?? findOwnStep(forest) ?? findAnyWork(forest);
  return node && toEntry(node);
}

/**
 * True if the step is in the bundle, and took less than half of the bundle's time. If the step is no function of the user's code, such as a
 * query, it is enough that one of its callers is in the bundle. The name of a function of the user's code says more than the name of its
 * caller.
 */
function isSlowTogether(cause: StepNode, bundle: StepEntry | undefined): boolean {
  if (bundle?.kind !== 'bundle' || cause.step.duration * 2 >= bundle.sumMs) return false;
  const nodes = new Set(bundle.nodes);
  if (cause.step.stepType === 'function' && isOwnCode(cause.step)) return nodes.has(cause);
  for (let node: StepNode | undefined = cause; node !== undefined; node = node.parent)
    if (nodes.has(node)) return true;
  return false;
}

/** Finds the longest handler in the user's own code: of several handlers for a route, the first ones only pass the request on. */
function findHandler({ all }: StepForest): StepNode | undefined {
  return findLongest(all.filter(({ step }) => step.stepType === 'handler' && isOwnCode(step)));
}

/**
 * Finds the longest of the user's own steps that were called by no other own step. Middleware is skipped: if all of these steps are
 * middleware, returns the last one, which sent the response.
 */
function findOwnStep({ all, roots }: StepForest): StepNode | undefined {
  if (!all.some(({ step }) => isOwnCode(step))) return undefined;
  const outermost: StepNode[] = [];
  const pending = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isOwnCode(node.step)) outermost.push(node);
    else pending.push(...node.children);
  }
  outermost.sort((a, b) => a.number - b.number);
  return findLongest(outermost.filter(({ step }) => step.stepType !== 'middleware')) ?? outermost.at(-1);
}

/**
 * Finds the longest handler, otherwise the longest top-level step that is no middleware, otherwise the first step. Used if no step is known
 * to be the user's own code: OpenTelemetry spans, for example, have no file.
 */
function findAnyWork({ all, roots }: StepForest): StepNode | undefined {
  return (
    findLongest(all.filter(({ step }) => step.stepType === 'handler')) ??
    findLongest(roots.filter(({ step }) => step.stepType !== 'middleware')) ??
    all[0]
  );
}

/** Finds the longest step; of several equally long steps the earliest. */
function findLongest(nodes: readonly StepNode[]): StepNode | undefined {
  let longest: StepNode | undefined;
  for (const node of nodes) {
    if (longest === undefined || node.step.duration > longest.step.duration) longest = node;
  }
  return longest;
}
