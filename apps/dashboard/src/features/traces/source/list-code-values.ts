import { findSource, type SourceFunction, type Step } from '@throughline/contract';
import { annotateSource } from '../../../visuals/source/annotate-source.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { findThrownLine } from '../../../visuals/steps/thrown-line.ts';
import type { FollowableValue } from '../value-origin/followable-values.ts';

/**
 * Lists the values of a call that the source code of the function shows and that can be followed, in the order of the lines. Returns
 * undefined if the function has no source code.
 */
export function listCodeValues(
  step: Step,
  node: StepNode,
  functions: readonly SourceFunction[],
): readonly FollowableValue[] | undefined {
  const source = findSource(functions, step);
  if (source === undefined) return undefined;
  const children = node.children.map((child) => child.step);
  const file = step.filePath ?? '';
  const lines = annotateSource({
    source,
    file,
    step,
    thrown: findThrownLine(step),
    children,
    others: functions,
  });
  const found = new Map<string, FollowableValue>();
  for (const { label, text, at } of lines.flatMap(({ values }) => values)) {
    const key = JSON.stringify([at?.place, at?.path]);
    if (at !== undefined && !found.has(key)) found.set(key, { ...at, name: label, text });
  }
  return [...found.values()];
}
