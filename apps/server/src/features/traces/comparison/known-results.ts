import type { Step } from '@throughline/contract';
import { identifyCall } from './align-steps.ts';

/** Characters of a call's inputs and of its result that are remembered; a longer one is not. */
const MAX_TEXT = 10_000;
/** Results that are remembered. */
const MAX_RESULTS = 20_000;

/** The results that functions had for their inputs in successful requests. */
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

  /** True for a call whose inputs a successful request had, too, and always with another result. */
  isOtherResult(step: Step): boolean {
    const call = describeCall(step);
    const results = call && this.#results.get(call.inputs);
    return call !== undefined && results !== undefined && !results.has(call.result);
  }
}

/** Without inputs, a function has other results by right: the time, the next number, a setting. */
function describeCall(step: Step): { readonly inputs: string; readonly result: string } | undefined {
  const { inputs, variables, outputs, error } = step;
  const result = variables?.returnValue ?? outputs;
  if (inputs === undefined || result === undefined || error !== null) return undefined;
  const [given, returned] = [JSON.stringify(inputs), JSON.stringify(result)];
  if (given === '{}' || given === '[]' || given.length > MAX_TEXT || returned.length > MAX_TEXT)
    return undefined;
  return { inputs: `${identifyCall(step)} ${given}`, result: returned };
}
