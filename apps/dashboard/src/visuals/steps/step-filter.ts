import type { Step, StepType } from '@throughline/contract';
import type { CriticalPath } from './critical-path.ts';
import type { StepForest, StepNode } from './step-forest.ts';
import { wordsOfStep } from './step-words.ts';

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

/** Undefined where nothing is asked for, so that all steps are shown. `valuesOf` has a step with its values, as far as they are there. */
export function filterSteps(
  forest: StepForest,
  query: StepQuery,
  critical: CriticalPath,
  valuesOf: (step: Step) => Step,
): StepFilter | undefined {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && query.type === undefined && query.only === undefined) return undefined;
  const matches = new Set<StepNode>();
  const kept = new Set<StepNode>();
  const foundIn = new Map<StepNode, string>();
  for (const node of forest.all) {
    if (query.type !== undefined && node.step.stepType !== query.type) continue;
    if (query.only === 'errors' && node.step.error === null) continue;
    if (query.only === 'critical' && !critical.steps.has(node)) continue;
    const parts = partsWith(valuesOf(node.step), words);
    if (parts === undefined) continue;
    matches.add(node);
    if (parts.length > 0) foundIn.set(node, parts.join(', '));
    for (let at: StepNode | undefined = node; at !== undefined && !kept.has(at); at = at.parent) kept.add(at);
  }
  return { matches, kept, foundIn };
}

/** The parts of a step, but for its name, in which words were found. Undefined unless each was found somewhere. */
function partsWith(step: Step, words: readonly string[]): readonly string[] | undefined {
  const parts = new Set<string | undefined>();
  for (const word of words) {
    const found = wordsOfStep(step).find(({ text }) => text.includes(word));
    if (found === undefined) return undefined;
    parts.add(found.part);
  }
  return [...parts].filter((part) => part !== undefined);
}
