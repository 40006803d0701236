import type { Step } from '@throughline/contract';
import { identifyCall } from './align-steps.ts';
import { readResult } from './compare-values.ts';

/** Calls whose inputs or result have more characters are not remembered. */
const MAX_TEXT = 10_000;
/** Maximum number of remembered results. */
const MAX_RESULTS = 20_000;

/** Remembers what functions returned for their inputs in successful requests. */
export class KnownResults {
  readonly #results = new Map<string, Set<string>>();
  #count = 0;

  constructor(goods: readonly (readonly Step[])[]) {
    for (const step of goods.flat()) this.#remember(step);
  }

  #remember(step: Step): void {
    const call = describeCall(step);
    if (call === undefined || this.#count >= MAX_RESULTS) return;
    const results = this.#results.get(call.inputs) ?? new Set();
    results.add(call.result);
    this.#results.set(call.inputs, results);
    this.#count += 1;
  }

  /** True if successful requests had calls with the same inputs, and all of these calls had another result. */
  isOtherResult(step: Step): boolean {
    const call = describeCall(step);
    const results = call && this.#results.get(call.inputs);
    return call !== undefined && results !== undefined && !results.has(call.result);
  }

  /**
   * True if successful requests had calls with the same inputs, and all of them had the result of this call. False if their results differ,
   * as for a function that returns the next number: an earlier result of such a function can be wrong this time.
   */
  isKnownResult(step: Step): boolean {
    const call = describeCall(step);
    const results = call && this.#results.get(call.inputs);
    return call !== undefined && results?.size === 1 && results.has(call.result);
  }
}

/**
 * Describes a call by its function with inputs, and by its result. Returns undefined for a failed or large call, and for a call without
 * inputs, since the results of such calls are expected to differ: the time, the next number, a setting.
 */
function describeCall(step: Step): { readonly inputs: string; readonly result: string } | undefined {
  const { inputs, error } = step;
  const result = readResult(step);
  if (inputs === undefined || result === undefined || error !== null) return undefined;
  const [given, returned] = [JSON.stringify(inputs), JSON.stringify(result)];
  if (given === '{}' || given === '[]' || given.length > MAX_TEXT || returned.length > MAX_TEXT)
    return undefined;
  return { inputs: `${identifyCall(step)} ${given}`, result: returned };
}
