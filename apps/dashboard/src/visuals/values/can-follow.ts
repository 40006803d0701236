import type { CapturedValue } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';

/** False for values that occur in every request, such as `true`, and for values whose content was not captured. */
export function canFollow(value: CapturedValue): boolean {
  const shape = classifyValue(value);
  if (shape.kind === 'simple') return typeof shape.value === 'string' || typeof shape.value === 'number';
  return shape.kind !== 'form' || FOLLOWED.has(shape.form.$type);
}

const FOLLOWED: ReadonlySet<string> = new Set('Date bigint object array Map Set Error reference'.split(' '));
