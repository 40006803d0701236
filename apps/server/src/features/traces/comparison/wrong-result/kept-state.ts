import type { ComparisonStatement, Step } from '@throughline/contract';
import type { GivenValues } from '../cause/given-values.ts';
import { findLeftBehind } from './calls/left-behind.ts';
import { findLeftInResult } from './calls/left-in-result.ts';

export interface ReadRequest {
  readonly trace: { readonly method: string; readonly route: string };
  readonly steps: readonly Step[];
}

/**
 * Finds a value that an earlier request left behind. Leaves out requests that are probably meant to change stored state: requests with
 * other methods than GET, HEAD and POST, and POST requests to one resource, such as `/carts/:id`.
 */
export function findKeptState(
  { trace, steps }: ReadRequest,
  goods: readonly (readonly Step[])[],
  given: GivenValues,
): ComparisonStatement | undefined {
  const { method, route } = trace;
  const isMeantToStore =
    !['GET', 'HEAD', 'POST'].includes(method) || (method === 'POST' && /[:{[*]/.test(route));
  if (isMeantToStore) return undefined;
  const [startTime = ''] = steps.map((step) => step.startTime).sort();
  const inspected = { startTime, given };
  return findLeftBehind(steps, goods, inspected) ?? findLeftInResult(steps, goods, inspected);
}
