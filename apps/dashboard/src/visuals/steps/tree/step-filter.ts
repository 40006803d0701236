import type { Step, StepType } from '@throughline/contract';
import { findWords, readStepWords, type StepWords, splitSearch } from '@throughline/contract/captured';
import type { CriticalPath } from '../analysis/critical-path.ts';
import type { StepForest, StepNode } from '../analysis/step-forest.ts';

/** The filter of the steps; if nothing is set, all steps match. */
export interface StepQuery {
  /** Words that must all occur in a step's name, function, `file:line`, type, error or values. */
  readonly text: string;
  readonly type: StepType | undefined;
  readonly only: 'errors' | 'critical' | undefined;
}

/** The steps that match a filter, and the callers of these steps. */
export interface StepFilter {
  readonly matches: ReadonlySet<StepNode>;
  readonly shown: ReadonlySet<StepNode>;
  /** For each match whose name alone does not contain all searched words: the parts of the step that contain them. */
  readonly foundIn: ReadonlyMap<StepNode, string>;
}

/** The parts of steps, other than names, that contain the words of a search, by `stepId`. */
export type FoundParts = ReadonlyMap<string, readonly string[]>;

/**
 * Finds the steps that match the query, and their callers. Returns undefined if the query is empty, so that all steps are shown. `found`
 * contains the steps that the server has found so far, including those found by their values.
 */
export function filterSteps(
  forest: StepForest,
  query: StepQuery,
  critical: CriticalPath,
  found: FoundParts,
): StepFilter | undefined {
  const words = splitSearch(query.text);
  if (words.length === 0 && query.type === undefined && query.only === undefined) return undefined;
  const matches = new Set<StepNode>();
  const shown = new Set<StepNode>();
  const foundIn = new Map<StepNode, string>();
  for (const node of forest.all) {
    if (query.type !== undefined && node.step.stepType !== query.type) continue;
    if (query.only === 'errors' && node.outcome === 'ended') continue;
    if (query.only === 'critical' && !critical.steps.has(node)) continue;
    const parts = found.get(node.step.stepId) ?? findWords(listStepWords(node.step), words);
    if (parts === undefined) continue;
    matches.add(node);
    if (parts.length > 0) foundIn.set(node, parts.join(', '));
    for (let at: StepNode | undefined = node; at !== undefined && !shown.has(at); at = at.parent)
      shown.add(at);
  }
  return { matches, shown, foundIn };
}

/** Caches a step's words, since extracting them takes longer than searching them. */
const known = new WeakMap<Step, readonly StepWords[]>();

function listStepWords(step: Step): readonly StepWords[] {
  const before = known.get(step);
  if (before !== undefined) return before;
  const words = readStepWords(step);
  known.set(step, words);
  return words;
}
