import type { Step } from '@throughline/contract';
import { type AlignedStep, identifyCall, listAligned } from './align-steps.ts';

/** Calls of one function made by one other function, in both requests. Durations are self times in milliseconds. */
export interface SlowerCalls {
  readonly step: Step;
  readonly other: Step | undefined;
  /** A call of the function that made these calls; undefined at the top level. */
  readonly caller: Step | undefined;
  readonly count: number;
  readonly otherCount: number;
  readonly ms: number;
  readonly otherMs: number;
}

/** Minimum time in milliseconds by which the request, and the function's calls, took longer. Users do not notice a smaller difference. */
const MIN_ADDED_MS = 20;
const MIN_RATIO = 1.5;
/** The calls must account for at least this share of the time by which the request took longer than the other request. */
const MIN_SHARE = 0.3;

interface Sums {
  step: Step;
  other: Step | undefined;
  caller: Step | undefined;
  count: number;
  otherCount: number;
  ms: number;
  otherMs: number;
}

/**
 * Finds the function whose calls account for the largest part of the time by which this request took longer than the other. Returns
 * undefined if no function stands out.
 */
export function findSlower(roots: readonly AlignedStep[], addedMs: number): SlowerCalls | undefined {
  if (addedMs < MIN_ADDED_MS) return undefined;
  // Sums calls per pair of calling and called function, not per calling step: a caller that runs once per item of a list has a step for each
  // item, and each of these steps contains only a part of the time.
  const sums = new Map<string, Sums>();
  for (const { caller, children } of listSiblings(roots)) addByCall(sums, children, caller);
  let most: Sums | undefined;
  for (const each of sums.values()) {
    if (most === undefined || computeAdded(each) > computeAdded(most)) most = each;
  }
  if (most === undefined || computeAdded(most) < Math.max(MIN_ADDED_MS, addedMs * MIN_SHARE))
    return undefined;
  return most.ms >= most.otherMs * MIN_RATIO ? most : undefined;
}

function computeAdded({ ms, otherMs }: Sums): number {
  return ms - otherMs;
}

interface Siblings {
  readonly caller: Step | undefined;
  readonly children: readonly AlignedStep[];
}

function listSiblings(roots: readonly AlignedStep[]): Siblings[] {
  const below = listAligned(roots).map(({ left, right, children }) => ({ caller: left ?? right, children }));
  return [{ caller: undefined, children: roots }, ...below];
}

function addByCall(
  byCall: Map<string, Sums>,
  siblings: readonly AlignedStep[],
  caller: Step | undefined,
): void {
  const by = caller === undefined ? '' : identifyCall(caller);
  for (const { left, right, children } of siblings) {
    const step = left ?? right;
    if (step === undefined) continue;
    const key = `${by} ${identifyCall(step)}`;
    const sums = byCall.get(key) ?? {
      step,
      other: undefined,
      caller,
      count: 0,
      otherCount: 0,
      ms: 0,
      otherMs: 0,
    };
    byCall.set(key, sums);
    if (left !== undefined) {
      // If the first call was only in the other request, `step` and `caller` are that request's steps. They are replaced here, because
      // the statement links to steps of this request.
      if (sums.count === 0) {
        sums.step = left;
        sums.caller = caller;
      }
      sums.count += left.repeat?.count ?? 1;
      sums.ms += measureSelf(
        left,
        children.map((child) => child.left),
      );
    }
    if (right !== undefined) {
      sums.other ??= right;
      sums.otherCount += right.repeat?.count ?? 1;
      sums.otherMs += measureSelf(
        right,
        children.map((child) => child.right),
      );
    }
  }
}

/** Computes a step's duration in milliseconds minus the durations of the steps below, as if the steps below had run one after another. */
function measureSelf(step: Step, children: readonly (Step | undefined)[]): number {
  const below = children.reduce((sum, child) => sum + (child?.duration ?? 0), 0);
  return Math.max(0, step.duration - below);
}
