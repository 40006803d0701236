import type { CapturedValue, Step } from '@throughline/contract';
import { classifyValue, listParts } from '@throughline/contract/captured';
import { REDACTED_TEXT } from '@throughline/contract/redaction';
import { identifyCall } from './align-steps.ts';
import { readResult } from './compare-values.ts';

/** Calls whose inputs or result have more characters are not remembered. */
const MAX_TEXT = 10_000;
/** Maximum number of calls whose results are remembered. */
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

  /**
   * True if successful requests had calls with the same inputs, and all of these calls had another result. Always false if an input
   * contains a request, a response or a context of a framework: the SDK records only some of the members of such an object, so two such
   * objects can look equal although they differ, for example in the logged-in user.
   */
  isOtherResult(step: Step): boolean {
    const call = describeCall(step);
    const results = call && this.#results.get(call.inputs);
    if (call === undefined || results === undefined || results.has(call.result)) return false;
    return step.inputs === undefined || !findPart(step.inputs, isMessage);
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
 * Describes a call by its function with inputs, and by its result. Returns undefined for a failed or large call, for a call whose inputs or
 * result were redacted or truncated, and for a call without inputs, since the results of such calls are expected to differ: the time, the
 * next number, a setting.
 */
function describeCall(step: Step): { readonly inputs: string; readonly result: string } | undefined {
  const { inputs, error } = step;
  const result = readResult(step);
  if (inputs === undefined || result === undefined || error !== null) return undefined;
  const [given, returned] = [JSON.stringify(inputs), JSON.stringify(result)];
  if (given === '{}' || given === '[]' || given.length > MAX_TEXT || returned.length > MAX_TEXT)
    return undefined;
  if ([given, returned].some((text) => text.includes(REDACTED_TEXT))) return undefined;
  if (findPart([inputs, result], isIncomplete)) return undefined;
  return { inputs: `${identifyCall(step)} ${given}`, result: returned };
}

/** True if the condition is true for the value or a value in it. */
function findPart(value: CapturedValue, condition: (part: CapturedValue) => boolean): boolean {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (condition(next)) return true;
    for (const { label, value: part } of listParts(next).children) {
      pending.push(part);
      if (label.kind === 'entry') pending.push(label.key);
    }
  }
  return false;
}

const NOT_RECORDED: ReadonlySet<string> = new Set(['redacted', 'cut', 'string', 'accessor', 'proxy']);

/** True for a value of which a part was redacted, truncated or not read: two such values can look the same and differ. */
function isIncomplete(value: CapturedValue): boolean {
  const shape = classifyValue(value);
  if (shape.kind !== 'form') return false;
  const { form } = shape;
  if (form.$type === 'Buffer') return Buffer.byteLength(form.base64, 'base64') < form.size;
  return NOT_RECORDED.has(form.$type) || listParts(value).missing > 0;
}

/**
 * Class names that the SDK gives to the requests, responses and contexts of Node and frameworks. The SDK records only some members of such
 * objects.
 */
const MESSAGES: ReadonlySet<string> = new Set(
  'IncomingMessage ServerResponse Http2ServerRequest Http2ServerResponse Request Response Reply Context ExecutionContext'.split(
    ' ',
  ),
);

function isMessage(value: CapturedValue): boolean {
  const shape = classifyValue(value);
  return shape.kind === 'form' && shape.form.$type === 'object' && MESSAGES.has(shape.form.class ?? '');
}
