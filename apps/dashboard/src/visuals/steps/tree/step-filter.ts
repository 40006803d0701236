import type { Step, StepType } from '@throughline/contract';
import { findWords, readStepWords, type StepWords, searchedWords } from '@throughline/contract/captured';
import type { CriticalPath } from '../analysis/critical-path.ts';
import type { StepForest, StepNode } from '../analysis/step-forest.ts';

/** Which steps are asked for; with nothing set, all. */
export interface StepQuery {
  /** Words that must all be found in the name, function, `file:line`, type, error or values of a step. */
  readonly text: string;
  readonly type: StepType | undefined;
  readonly only: 'errors' | 'critical' | undefined;
}

/** The steps that were asked for, and with them the callers on the way to each. */
export interface StepFilter {
  readonly matches: ReadonlySet<StepNode>;
  readonly kept: ReadonlySet<StepNode>;
  /** In which parts of a step the words were found, where its name alone does not have them. */
  readonly foundIn: ReadonlyMap<StepNode, string>;
}

/** Where the words of a search are in steps, but for their names, by `stepId`. */
export type FoundParts = ReadonlyMap<string, readonly string[]>;

/**
 * Undefined where nothing is asked for, so that all steps are shown. `found` has the steps that the server found so far: they are searched with
 * their values there.
 */
export function filterSteps(
  forest: StepForest,
  query: StepQuery,
  critical: CriticalPath,
  found: FoundParts,
): StepFilter | undefined {
  const words = searchedWords(query.text);
  if (words.length === 0 && query.type === undefined && query.only === undefined) return undefined;
  const matches = new Set<StepNode>();
  const kept = new Set<StepNode>();
  const foundIn = new Map<StepNode, string>();
  for (const node of forest.all) {
    if (query.type !== undefined && node.step.stepType !== query.type) continue;
    if (query.only === 'errors' && node.step.error === null) continue;
    if (query.only === 'critical' && !critical.steps.has(node)) continue;
    const parts = found.get(node.step.stepId) ?? findWords(wordsOfStep(node.step), words);
    if (parts === undefined) continue;
    matches.add(node);
    if (parts.length > 0) foundIn.set(node, parts.join(', '));
    for (let at: StepNode | undefined = node; at !== undefined && !kept.has(at); at = at.parent) kept.add(at);
  }
  return { matches, kept, foundIn };
}

/** Reading a step's words takes longer than looking through them. */
const known = new WeakMap<Step, readonly StepWords[]>();

function wordsOfStep(step: Step): readonly StepWords[] {
  const before = known.get(step);
  if (before !== undefined) return before;
  const words = readStepWords(step);
  known.set(step, words);
  return words;
}
