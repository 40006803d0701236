import { type StepEntry, toEntry } from '../../../visuals/steps/analysis/fold-repeats.ts';
import type { StepForest, StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { isOwnCode } from '../../../visuals/steps/own-code.ts';

/** Facts about a trace when it opens. */
export interface Opening {
  readonly forest: StepForest;
  /** Where the first value differs from good requests: nearer to the cause than where it threw. */
  readonly differing?: StepNode | undefined;
  /** Where the request failed; undefined for one that did not. */
  readonly failing: StepNode | undefined;
  /** Where most of its time went, where that is worth a look: the request took longer than usual. */
  readonly slowest: StepEntry | undefined;
}

/** The line that a trace opens on: where a failed one differs from good requests, else where it failed, else where a slow one spent its time, else its handler. Undefined without steps. */
export function findOpeningEntry({ forest, differing, failing, slowest }: Opening): StepEntry | undefined {
  if (differing !== undefined) return toEntry(differing);
  if (failing !== undefined) return toEntry(failing);
  if (slowest !== undefined) return slowest;
  const node = findHandler(forest) ?? findOwnStep(forest) ?? findAnyWork(forest);
  return node && toEntry(node);
}

/** The handler of the user's own code that took longest: of several for one route, the first ones only let the request pass. */
function findHandler({ all }: StepForest): StepNode | undefined {
  return findLongest(all.filter(({ step }) => step.stepType === 'handler' && isOwnCode(step)));
}

/** Finds the longest of the user's own steps that no other own step called, else the last middleware, which is the one that answered. */
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

/** Where no step says which file it is of, as in spans of OpenTelemetry. */
function findAnyWork({ all, roots }: StepForest): StepNode | undefined {
  return (
    findLongest(all.filter(({ step }) => step.stepType === 'handler')) ??
    findLongest(roots.filter(({ step }) => step.stepType !== 'middleware')) ??
    all[0]
  );
}

/** Finds the longest step, the earlier one where two took equally long. */
function findLongest(nodes: readonly StepNode[]): StepNode | undefined {
  let longest: StepNode | undefined;
  for (const node of nodes) {
    if (longest === undefined || node.step.duration > longest.step.duration) longest = node;
  }
  return longest;
}
