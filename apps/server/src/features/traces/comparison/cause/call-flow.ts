import { type CapturedValue, parseInstant, type Step } from '@throughline/contract';
import { flatten, type Leaf } from '../call-history.ts';
import { readMembers, readResult } from '../compare-values.ts';

const CALLBACK = / callback$/;

interface TimedStep {
  readonly step: Step;
  readonly start: number;
  readonly end: number;
}

/** A result, or a member of the result, and the call that returned the result. */
export type ProducedValue = Leaf & { readonly step: Step };

interface TimedProduced {
  readonly produced: ProducedValue;
  readonly end: number;
}

/** The calls of a request, by time and by caller, to find the call that a value came from. */
export class CallFlow {
  readonly #steps: readonly TimedStep[];
  readonly #byId: ReadonlyMap<string, TimedStep>;
  readonly #below: ReadonlyMap<string | null, readonly TimedStep[]>;
  #producers?: ReadonlyMap<CapturedValue, readonly TimedProduced[]>;

  constructor(steps: readonly Step[]) {
    this.#steps = steps.map((step) => {
      const start = Number(parseInstant(step.startTime) ?? 0n);
      return { step, start, end: start + Math.round(step.duration * 1000) };
    });
    this.#byId = new Map(this.#steps.map((timed) => [timed.step.stepId, timed]));
    this.#below = Map.groupBy(this.#steps, ({ step }) => step.parentStepId);
  }

  /** Finds the function that threw the last error. A function that passed on the error of a call did not throw the error. */
  findThrower(): Step | undefined {
    const isPassedOn = ({ stepId, error }: Step) =>
      (this.#below.get(stepId) ?? []).some(({ step }) => step.error?.message === error?.message);
    return this.#steps.findLast(({ step }) => step.error !== null && !isPassedOn(step))?.step;
  }

  /** Lists the calls that returned before `step` ended, in the order in which they returned. */
  listFinishedBefore(step: Step): Step[] {
    const end = this.#byId.get(step.stepId)?.end ?? 0;
    return this.#steps
      .filter((each) => each.step !== step && each.step.error === null && each.end <= end)
      .toReversed()
      .sort((a, b) => a.end - b.end)
      .map((each) => each.step);
  }

  /** If the step is a call of a callback, returns the step of the function that passed the callback; otherwise undefined. */
  findCaller({ stepName, parentStepId }: Step): Step | undefined {
    return CALLBACK.test(stepName) ? this.#byId.get(parentStepId ?? '')?.step : undefined;
  }

  find(stepId: string | null): Step | undefined {
    return this.#byId.get(stepId ?? '')?.step;
  }

  listByEnd(): Step[] {
    return this.#steps
      .toReversed()
      .sort((a, b) => a.end - b.end)
      .map(({ step }) => step);
  }

  findParent({ parentStepId }: Step): Step | undefined {
    return this.find(parentStepId);
  }

  /** Lists a call and its callers, the nearest first. */
  listChain(step: Step): readonly Step[] {
    // Ends at a step that was seen before, because the parents of steps can form a cycle.
    const chain = new Set<Step>();
    for (let at: Step | undefined = step; at !== undefined && !chain.has(at); at = this.findParent(at))
      chain.add(at);
    return [...chain];
  }

  listBelow({ stepId }: Step): Step[] {
    return (this.#below.get(stepId) ?? []).map(({ step }) => step);
  }

  /** True if a call made by this call threw, and this call returned a value nevertheless. */
  hasCaught({ stepId, error }: Step): boolean {
    return error === null && (this.#below.get(stepId) ?? []).some(({ step }) => step.error !== null);
  }

  /** Finds the call that computed a value before `consumer` began. A call that itself received the value did not compute the value. */
  findProducer(value: string | number, consumer: Step): ProducedValue | undefined {
    const start = this.#byId.get(consumer.stepId)?.start ?? 0;
    this.#producers ??= Map.groupBy(this.#steps.flatMap(listProduced), ({ produced }) => produced.value);
    const found = (this.#producers.get(value) ?? [])
      .filter(({ end }) => end <= start)
      .map(({ produced }) => produced);
    return found.findLast(({ path }) => path.length === 0) ?? found[0];
  }

  /** Finds the call that computed a value, among the calls that `caller` made. */
  findBelow(value: CapturedValue | undefined, caller: Step): ProducedValue | undefined {
    this.#producers ??= Map.groupBy(this.#steps.flatMap(listProduced), ({ produced }) => produced.value);
    return (value === undefined ? [] : (this.#producers.get(value) ?? []))
      .map(({ produced }) => produced)
      .find(({ step }) => step.parentStepId === caller.stepId);
  }

  /**
   * If this call is the last one of a loop, finds the earlier call that returned the number of the loop's calls, such as a number of
   * retries.
   */
  findBound({ stepId, stepName, parentStepId }: Step): ProducedValue | undefined {
    const siblings = this.#below.get(parentStepId) ?? [];
    const same = siblings.filter(({ step }) => step.stepName === stepName);
    if (same.length < 2 || same.at(-1)?.step.stepId !== stepId) return undefined;
    const variables = this.#byId.get(parentStepId ?? '')?.step.variables?.localVariables;
    if (![...readMembers(variables).values()].includes(same.length)) return undefined;
    const first = same[0]?.start ?? 0;
    const source = siblings.findLast(
      ({ step, end }) => end <= first && readResult(step) === same.length,
    )?.step;
    return source && { step: source, path: [], value: same.length };
  }
}

/**
 * Lists the distinct values that a function returned and did not receive, each at its first position. Returns no values for a function
 * that threw, and for a step that is not a function.
 */
function listProduced({ step, end }: TimedStep): TimedProduced[] {
  if (step.error !== null || step.stepType !== 'function') return [];
  const known = new Set(flatten(step.inputs).map(({ value }) => value));
  return flatten(readResult(step)).flatMap((leaf) => {
    if (known.has(leaf.value)) return [];
    known.add(leaf.value);
    return [{ produced: { step, ...leaf }, end }];
  });
}
