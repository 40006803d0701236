import type { Step } from '@throughline/contract';
import { type AlignedStep, identifyCall } from './align-steps.ts';
import { type indexRequests, isChangedByOther } from './cause/value-before-call.ts';
import { type ComparisonBudget, compareParts, type StepDifference } from './compare-values.ts';
import { isOdd, looksUnique } from './judge-difference.ts';
import type { KnownResults } from './known-results.ts';

/** A difference between two requests, with the step at which it occurred. */
export type Finding =
  | { readonly kind: 'value'; readonly at: PairedStep; readonly difference: StepDifference }
  /**
   * A function that only this request called. If, among the same siblings, the other request also made exactly one call that this request
   * did not make, `insteadOf` is that call.
   */
  | {
      readonly kind: 'added';
      readonly at: AlignedStep & { readonly left: Step };
      readonly insteadOf: Step | undefined;
    }
  /** A function that only the other request called. */
  | { readonly kind: 'missing'; readonly at: AlignedStep & { readonly right: Step } };

export type ValueFinding = Extract<Finding, { readonly kind: 'value' }>;
/** A call that only one of the requests made. */
export type CallFinding = Exclude<Finding, ValueFinding>;

export type PairedStep = AlignedStep & { readonly left: Step; readonly right: Step };

interface Walk {
  /**
   * One map for each further successful request: from the `stepId` of a step of this request to the paired step of the successful request.
   */
  readonly goods: readonly ReadonlyMap<string, Step>[];
  readonly budget: ComparisonBudget;
  readonly results: KnownResults;
  /** For a step, returns a function that finds other steps of the same request by id. */
  readonly findOf: ReturnType<typeof indexRequests>;
}

/**
 * Judges a differing result as `unseen`, because successful requests only had other results for the same inputs: this is as strong a sign
 * as a value that differs from the value on which all successful requests agree. Changes neither stronger judgements nor the judgements of
 * values that look unique.
 */
function raise(difference: StepDifference): StepDifference {
  const { judgement, value } = difference;
  const isTelling = isOdd(judgement) || (value !== undefined && looksUnique(value));
  return isTelling ? difference : { ...difference, judgement: 'unseen' };
}

/**
 * Lists the differences of two requests in the order of the data flow: a function's inputs, the functions it called, then its variables,
 * its return value and its error. The first difference is the most likely cause, because later differences mostly follow from the first.
 */
export function listFindings(roots: readonly AlignedStep[], walk: Walk): Finding[] {
  const findings: Finding[] = [];
  const pending: {
    readonly at: AlignedStep;
    readonly leaving: boolean;
    readonly alone: Finding | undefined;
  }[] = [];
  const push = (siblings: readonly AlignedStep[], parentFailed: boolean) => {
    const alone = listAlone(siblings);
    for (const at of siblings.toReversed()) {
      // A function that threw made no further calls, so missing calls follow from the error.
      if (parentFailed && at.left === undefined) continue;
      pending.push({ at, leaving: false, alone: alone.get(at) });
    }
  };
  push(roots, false);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { at } = next;
    if (!isPaired(at)) {
      if (next.alone !== undefined) findings.push(next.alone);
      continue;
    }
    const compared = (parts: Parameters<typeof compareParts>[0][]) => {
      const goods = walk.goods.flatMap((good) => good.get(at.left.stepId) ?? []);
      for (const part of parts) {
        const differences = compareParts(part, { ...at, goods }, walk.budget);
        const isOther =
          part === 'returnValue' && differences.length > 0 && walk.results.isOtherResult(at.left);
        for (const difference of differences) {
          const isEffect = isChangedByOther(part, difference.path, { ...at, findOf: walk.findOf });
          const judged = isOther ? raise(difference) : difference;
          findings.push({
            kind: 'value',
            at,
            difference: isEffect ? { ...difference, judgement: 'ordinary' } : judged,
          });
        }
      }
    };
    if (next.leaving) {
      compared(['localVariables', 'parameters', 'returnValue', 'error']);
      continue;
    }
    compared(['inputs']);
    pending.push({ at, leaving: true, alone: undefined });
    push(at.children, at.left.error !== null && at.right.error === null);
  }
  return withoutRepeated(findings);
}

export function isPaired(at: AlignedStep): at is PairedStep {
  return at.left !== undefined && at.right !== undefined;
}

function countSides(
  siblings: readonly AlignedStep[],
): ReadonlyMap<string, { left: boolean; right: boolean }> {
  const sides = new Map<string, { left: boolean; right: boolean }>();
  for (const { left, right } of siblings) {
    for (const [side, step] of [['left', left] as const, ['right', right] as const]) {
      if (step === undefined) continue;
      const key = identifyCall(step);
      const known = sides.get(key) ?? { left: false, right: false };
      known[side] = true;
      sides.set(key, known);
    }
  }
  return sides;
}

/** True if only one of the two requests called the function among these siblings. False if both called it, one of them more often. */
function isAlone(at: AlignedStep, sides: ReturnType<typeof countSides>): boolean {
  const step = at.left ?? at.right;
  if (step === undefined || isPaired(at)) return false;
  const known = sides.get(identifyCall(step));
  return known !== undefined && known.left !== known.right;
}

/** Lists the calls among siblings that only one request made. If each request has exactly one such call, the pair is one finding. */
function listAlone(siblings: readonly AlignedStep[]): ReadonlyMap<AlignedStep, Finding> {
  const known = countSides(siblings);
  const alone = siblings.filter((at) => isAlone(at, known));
  const added = alone.filter((at): at is AlignedStep & { readonly left: Step } => at.left !== undefined);
  const missing = alone.filter((at): at is AlignedStep & { readonly right: Step } => at.right !== undefined);
  const isInstead = added.length === 1 && missing.length === 1;
  const findings = new Map<AlignedStep, Finding>();
  for (const at of added) {
    findings.set(at, { kind: 'added', at, insteadOf: isInstead ? missing[0]?.right : undefined });
  }
  if (!isInstead) for (const at of missing) findings.set(at, { kind: 'missing', at });
  return findings;
}

/**
 * Leaves out differences in `parameters` (the arguments at the end of the call) that repeat a difference in `inputs`: the function did not
 * change these arguments.
 */
function withoutRepeated(findings: readonly Finding[]): Finding[] {
  const inputs = new Set<string>();
  return findings.filter((finding) => {
    if (finding.kind !== 'value') return true;
    const { at, difference } = finding;
    if (difference.part !== 'inputs' && difference.part !== 'parameters') return true;
    const key = JSON.stringify([at.left.stepId, difference.path, difference.value]);
    if (difference.part === 'inputs') inputs.add(key);
    return difference.part === 'inputs' || !inputs.has(key);
  });
}
