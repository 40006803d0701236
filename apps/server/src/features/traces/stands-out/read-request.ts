import { type CapturedValue, instantToMicros, type Step, type UsualDuration } from '@throughline/contract';
import { describeKind } from '@throughline/contract/captured';
import type { SeenStep } from '../../step-patterns/index.ts';
import type { StoredTrace } from '../store.ts';

/** A request as the rules look at it. */
export interface LookedAt {
  readonly trace: StoredTrace;
  /** In start order. */
  readonly steps: readonly LookedAtStep[];
  readonly usual: UsualDuration | null;
}

/** A step with what the rules need of its values. */
export interface LookedAtStep extends SeenStep {
  /** It threw; of a request to another server, also one answered with a status of 400 or more. */
  readonly failed: boolean;
  /** The variable of the step, or `return value`, that is NaN. */
  readonly hasNaN: string | undefined;
  /** Own time, without the steps below. */
  readonly selfMicros: number;
  /** Undefined where nothing was captured, or values were not read. */
  readonly inputs: CapturedValue | undefined;
  readonly outputs: CapturedValue | undefined;
}

/** A sentence about a request, with how grave it is: about 1 for a rule that explains all of the request's time, more for a failure. */
export interface Statement {
  readonly text: string;
  readonly stepId: string | null;
  readonly weight: number;
}

/** Prepares a trace's steps for the rules. */
export function lookAtSteps(trace: string, steps: readonly Step[]): LookedAtStep[] {
  const seen = steps.map((step) => readStep(trace, step));
  const below = Map.groupBy(seen, ({ parentStepId }) => parentStepId);
  return seen.map((step) => ({
    ...step,
    selfMicros: Math.max(0, step.durationMicros - measureUnion(below.get(step.stepId) ?? [])),
  }));
}

function readStep(trace: string, step: Step): Omit<LookedAtStep, 'selfMicros'> {
  const { inputs } = step;
  return {
    trace,
    stepId: step.stepId,
    parentStepId: step.parentStepId ?? '',
    name: step.stepName,
    asks: readQuery(inputs),
    type: step.stepType,
    startMicros: Number(instantToMicros(step.startTime) ?? 0n),
    durationMicros: Math.round(step.duration * 1000),
    calls: step.repeat?.count ?? 1,
    failed: step.error !== null || (step.repeat?.errors ?? 0) > 0 || isRefused(step),
    hasNaN: findNaN(step),
    inputs,
    outputs: step.variables?.returnValue ?? step.outputs,
  };
}

function isRefused({ stepType, outputs }: Step): boolean {
  if (stepType !== 'http' || typeof outputs !== 'object' || outputs === null || !('statusCode' in outputs))
    return false;
  return typeof outputs.statusCode === 'number' && outputs.statusCode >= 400;
}

/** Variables of one step that are looked at. */
const MAX_VARIABLES = 200;

function findNaN({ variables }: Step): string | undefined {
  const locals = variables?.localVariables;
  const named =
    typeof locals === 'object' && locals !== null ? Object.entries(locals).slice(0, MAX_VARIABLES) : [];
  return [...named, ['return value', variables?.returnValue] as const].find(
    ([, value]) => value !== undefined && describeKind(value) === 'NaN',
  )?.[0];
}

/** The text of a query without the values that differ from call to call. */
function readQuery(inputs: unknown): string {
  if (typeof inputs !== 'object' || inputs === null || !('query' in inputs)) return '';
  const { query } = inputs;
  return typeof query === 'string' ? query.replaceAll(/'[^']*'|\d+/g, '') : '';
}

/** The time during which at least one of the steps ran. Microseconds. */
export function measureUnion(steps: readonly SeenStep[]): number {
  const inOrder = [...steps].sort((a, b) => a.startMicros - b.startMicros);
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { startMicros, durationMicros } of inOrder) {
    const until = startMicros + durationMicros;
    if (until <= end) continue;
    total += until - Math.max(startMicros, end);
    end = until;
  }
  return total;
}

/** A share of the request's time, 0 to 1. */
export function measureShare({ trace }: LookedAt, micros: number): number {
  return trace.duration_micros === 0 ? 0 : Math.min(1, micros / trace.duration_micros);
}

export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}
