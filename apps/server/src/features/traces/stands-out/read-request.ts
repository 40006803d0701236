import { instantToMicros, type Step, type UsualDuration } from '@throughline/contract';
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
  readonly failed: boolean;
  /** Own time, without the steps below. */
  readonly selfMicros: number;
  /** JSON text; empty where nothing was captured, or values were not read. */
  readonly inputs: string;
  readonly outputs: string;
}

/** A sentence about a request, with how grave it is: about 1 for a rule that explains all of the request's time, more for a failure. */
export interface Statement {
  readonly text: string;
  readonly stepId: string | null;
  readonly weight: number;
}

/** Reads a trace's steps for the rules. */
export function readSteps(trace: string, steps: readonly Step[]): LookedAtStep[] {
  const seen = steps.map((step) => readStep(trace, step));
  const below = Map.groupBy(seen, ({ parentStepId }) => parentStepId);
  return seen.map((step) => ({
    ...step,
    selfMicros: Math.max(0, step.durationMicros - measureUnion(below.get(step.stepId) ?? [])),
  }));
}

function readStep(trace: string, step: Step): Omit<LookedAtStep, 'selfMicros'> {
  const { inputs } = step;
  const outputs = step.variables?.returnValue ?? step.outputs;
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
    failed: step.error !== null || (step.repeat?.errors ?? 0) > 0,
    inputs: inputs === undefined ? '' : JSON.stringify(inputs),
    outputs: outputs === undefined ? '' : JSON.stringify(outputs),
  };
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
