import type { CapturedValue, Step } from '@throughline/contract';
import { type CallHistory, flatten, type Origin } from '../call-history.ts';
import type { CallFlow, ProducedValue } from '../cause/call-flow.ts';
import { isQuotedIn } from '../cause/failure-texts.ts';
import { isDistinct, readResult } from '../compare-values.ts';
import type { KnownResults } from '../known-results.ts';
import { isData } from './is-data.ts';

/** Maximum number of functions through which a value is followed back. */
const MAX_HOPS = 10;

export interface ChainContext {
  readonly flow: CallFlow;
  readonly history: CallHistory;
  readonly results: KnownResults;
}

/**
 * Follows the values that a function used back to the functions that computed them. Lists these functions, beginning with the nearest to
 * `consumer`. Ends at data: at a value that the client sent, or that a function looked up. Also ends at a known result, except for a result
 * that `consumer` used and that the message of the consumer's error quotes.
 */
export function listProducers(consumer: Step, context: ChainContext): readonly ProducedValue[] {
  const { flow, results } = context;
  const links: ProducedValue[] = [];
  const message = consumer.error?.message ?? '';
  let at = consumer;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const source = listUsed(at, context)
      .toSorted((a, b) => Number(isQuotedIn(b, message)) - Number(isQuotedIn(a, message)))
      .map((value) => findComputed(value, at, flow))
      .find(
        (found) =>
          found !== undefined &&
          found.step !== consumer &&
          !links.some(({ step }) => step === found.step) &&
          ((links.length === 0 && isQuotedIn(found.value, message)) || !results.isKnownResult(found.step)),
      );
    if (source === undefined) break;
    links.push(source);
    at = source.step;
  }
  return links;
}

/** Lists the texts and numbers that a call used. Values that no successful call of the function used come first. */
function listUsed(step: Step, { history }: ChainContext): readonly (string | number)[] {
  const read = (call: Step) =>
    [...flatten(call.inputs), ...flatten(call.variables?.localVariables)].map(({ value }) => value);
  const seen = new Set(history.list(step).flatMap(read));
  return [...new Set(read(step).filter(isDistinct))].sort(
    (a, b) => Number(seen.has(a)) - Number(seen.has(b)),
  );
}

/** Finds the call that computed a value. If the call only converted a value that its caller had computed, returns the caller. */
function findComputed(value: string | number, consumer: Step, flow: CallFlow): ProducedValue | undefined {
  const source = flow.findProducer(value, consumer) ?? flow.findBelow(value, consumer);
  if (source === undefined || isData(source.step, flow)) return undefined;
  const caller = flow.findParent(source.step);
  const isConverted =
    caller !== undefined &&
    caller !== consumer &&
    readResult(caller) === value &&
    !flatten(source.step.inputs).some((leaf) =>
      flatten(caller.inputs).some((given) => JSON.stringify(given.value) === JSON.stringify(leaf.value)),
    );
  return isConverted ? { step: caller, path: [], value } : source;
}

/**
 * Finds the first function that computed a value from which the failure followed. Skips a function that only returned a part of its input,
 * and a function with a known result, because a known result is right.
 */
export function findComputation(thrower: Step, context: ChainContext): Origin | undefined {
  const link = listProducers(thrower, context).findLast(
    (each) => !isPart(each) && !context.results.isKnownResult(each.step),
  );
  return link && { ...link, part: 'returnValue' };
}

/** True if the function only returned a part of a text that it received. */
function isPart({ step, value }: ProducedValue): boolean {
  return flatten(step.inputs).some(
    (leaf) => typeof value === 'string' && writeText(leaf.value).includes(value),
  );
}

function writeText(value: CapturedValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
