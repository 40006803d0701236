import type { Step } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import { identifyCall } from '../comparison/align-steps.ts';
import { readResult } from '../comparison/compare-values.ts';
import type { GrownList } from '../statements/read-request.ts';

/**
 * Minimum number of items in the list, minimum number of other calls, and minimum ratio of the list's length to the longest list that
 * another call returned.
 */
const LIMITS = { items: 20, calls: 3, ratio: 5 } as const;

/** Finds the function that first returned a list much longer than in other requests. Later functions only received this list. */
export function findGrownList(
  steps: readonly Step[],
  others: readonly (readonly Step[])[],
): GrownList | null {
  const lists = Map.groupBy(
    others.flat().filter((step) => countItems(step) !== undefined),
    identifyCall,
  );
  const byEnd = [...steps].sort((a, b) => compareTexts(a.endTime, b.endTime) || b.sequence - a.sequence);
  for (const step of byEnd) {
    const items = countItems(step) ?? 0;
    const known = lists.get(identifyCall(step)) ?? [];
    if (items < LIMITS.items || known.length < LIMITS.calls) continue;
    const longest = known.reduce((most, call) => Math.max(most, countItems(call) ?? 0), 0);
    if (items >= longest * LIMITS.ratio) return { stepId: step.stepId, name: step.stepName, items, longest };
  }
  return null;
}

/** Returns the number of items of a step's result, including items that were not captured; undefined if the result is no list. */
function countItems(step: Step): number | undefined {
  const result = readResult(step);
  if (result === undefined) return undefined;
  const shape = classifyValue(result);
  if (shape.kind === 'list') return shape.items.length;
  return shape.kind === 'form' && shape.form.$type === 'array' ? shape.form.length : undefined;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
