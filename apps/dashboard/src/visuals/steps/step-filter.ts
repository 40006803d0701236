import type { StepType } from '@throughline/contract';
import type { CriticalPath } from './critical-path.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/** Which steps are asked for; with nothing set, all. */
export interface StepQuery {
  /** Words that must all be found in the name, function, `file:line`, type or error of a step. */
  readonly text: string;
  readonly type: StepType | undefined;
  readonly only: 'errors' | 'critical' | undefined;
}

/** The steps that were asked for, and with them the callers on the way to each. */
export interface StepFilter {
  readonly matches: ReadonlySet<StepNode>;
  readonly kept: ReadonlySet<StepNode>;
}

/** Undefined where nothing is asked for, so that all steps are shown. */
export function filterSteps(
  forest: StepForest,
  query: StepQuery,
  critical: CriticalPath,
): StepFilter | undefined {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && query.type === undefined && query.only === undefined) return undefined;
  const matches = new Set<StepNode>();
  const kept = new Set<StepNode>();
  for (const node of forest.all) {
    if (query.type !== undefined && node.step.stepType !== query.type) continue;
    if (query.only === 'errors' && node.step.error === null) continue;
    if (query.only === 'critical' && !critical.steps.has(node)) continue;
    if (!hasWords(node, words)) continue;
    matches.add(node);
    for (let at: StepNode | undefined = node; at !== undefined && !kept.has(at); at = at.parent) kept.add(at);
  }
  return { matches, kept };
}

function hasWords({ step }: StepNode, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { error } = step;
  const place = step.filePath === null ? '' : `${step.filePath}:${step.lineNumber ?? ''}`;
  const parts = [
    step.stepName,
    step.functionName,
    place,
    step.stepType,
    error?.name,
    error?.message,
    error?.code,
  ];
  const text = parts.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
