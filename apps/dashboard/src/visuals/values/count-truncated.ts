import type { CapturedValue } from '@throughline/contract';
import { classifyValue, listParts } from '@throughline/contract/captured';

/** Counts the positions in values at which a recording limit cut something off. Each of these positions has a mark in its value. */
export function countTruncated(values: readonly CapturedValue[]): number {
  let count = 0;
  const pending = [...values];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const shape = classifyValue(value);
    const isCut = shape.kind === 'form' && (shape.form.$type === 'cut' || shape.form.$type === 'string');
    const { children, missing } = listParts(value);
    if (isCut || missing > 0) count += 1;
    for (const child of children) pending.push(child.value);
  }
  return count;
}
