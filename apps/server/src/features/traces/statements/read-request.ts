import { type CapturedValue, parseInstant, type Step, type UsualDuration } from '@throughline/contract';
import { describeKind } from '@throughline/contract/captured';
import type { SeenStep } from '../../step-patterns/index.ts';
import type { StoredTrace } from '../store.ts';
import type { ResponseSize } from '../usual/response-size.ts';

/** A request in the form that is read by the rules about what stands out in a request. */
export interface ReadRequest {
  readonly trace: StoredTrace;
  /** Steps in start order. */
  readonly steps: readonly ExaminedStep[];
  readonly usual: UsualDuration | null;
  /** Null unless the request succeeded with a large response. */
  readonly size: ResponseSize | null;
  /** The list that probably makes the response large; null if none is known. */
  readonly grown: GrownList | null;
}

/** A list that is much longer than the lists that the same function returned in other requests. */
export interface GrownList {
  readonly stepId: string;
  readonly name: string;
  readonly items: number;
  /** Number of items in the longest list that another call of the function returned. */
  readonly longest: number;
}

/** A step in the form that the rules read, with the values that they need. */
export interface ExaminedStep extends SeenStep {
  /** True if the step or one of its aggregated calls threw, or if it is an HTTP request with a response status of 400 or more. */
  readonly failed: boolean;
  /** Name of the step's variable that is NaN, or `return value`. */
  readonly hasNaN: string | undefined;
  /** True if NaN, or a text with "NaN", is also in another variable, a parameter, `this` or the result of the step. */
  readonly passesNaN: boolean;
  /** Self time: the step's duration without the steps below it in the tree. */
  readonly selfMicros: number;
  /** Undefined if nothing was captured, or if values were not read. */
  readonly inputs: CapturedValue | undefined;
  readonly outputs: CapturedValue | undefined;
}

/** A statement about a request. The weight is about 1 for a rule that explains all of the request's time, and higher for a failure. */
export interface Statement {
  readonly text: string;
  readonly stepId: string | null;
  readonly weight: number;
  /** Id of the step that is selected first when the request is opened. Absent if the statement does not show the cause. */
  readonly opening?: string;
}

/** Converts a trace's steps to the form that the rules read. */
export function examineSteps(trace: string, steps: readonly Step[]): ExaminedStep[] {
  const seen = steps.map((step) => readStep(trace, step));
  const below = Map.groupBy(seen, ({ parentStepId }) => parentStepId);
  return seen.map((step) => {
    const called = below.get(step.stepId);
    const calledMicros = called === undefined ? 0 : measureUnion(called);
    return { ...step, selfMicros: Math.max(0, step.durationMicros - calledMicros) };
  });
}

function readStep(trace: string, step: Step): Omit<ExaminedStep, 'selfMicros'> {
  const { inputs } = step;
  const hasNaN = findNaN(step);
  return {
    trace,
    stepId: step.stepId,
    parentStepId: step.parentStepId ?? '',
    name: step.stepName,
    asks: readQuery(inputs),
    type: step.stepType,
    startMicros: Number(parseInstant(step.startTime) ?? 0n),
    durationMicros: Math.round(step.duration * 1000),
    calls: step.repeat?.count ?? 1,
    failed: step.error !== null || (step.repeat?.errors ?? 0) > 0 || isRefused(step),
    hasNaN,
    passesNaN: hasNaN !== undefined && isPassedOn(step, hasNaN),
    inputs,
    outputs: step.variables?.returnValue ?? step.outputs,
  };
}

function isRefused({ stepType, outputs }: Step): boolean {
  if (stepType !== 'http' || typeof outputs !== 'object' || outputs === null || !('statusCode' in outputs))
    return false;
  return typeof outputs.statusCode === 'number' && outputs.statusCode >= 400;
}

/** Maximum number of variables that are searched per step. */
const MAX_VARIABLES = 200;

function findNaN({ variables }: Step): string | undefined {
  const locals = variables?.localVariables;
  const named =
    typeof locals === 'object' && locals !== null ? Object.entries(locals).slice(0, MAX_VARIABLES) : [];
  return [...named, ['return value', variables?.returnValue] as const].find(
    ([, value]) => value !== undefined && describeKind(value) === 'NaN',
  )?.[0];
}

/** True if a value of the step other than the variable `name` contains NaN. */
function isPassedOn({ variables, outputs }: Step, name: string): boolean {
  if (name === 'return value') return true;
  const { localVariables, parameters, thisContext, returnValue } = variables ?? {};
  const locals =
    typeof localVariables === 'object' && localVariables !== null ? { ...localVariables, [name]: null } : {};
  return mentionsNaN([locals, parameters ?? null, thisContext ?? null, returnValue ?? outputs ?? null]);
}

/** True if a value contains NaN, or a text with "NaN". */
export function mentionsNaN(value: CapturedValue): boolean {
  return JSON.stringify(value).includes('NaN');
}

/** Returns the query's text without the values that differ between calls. */
function readQuery(inputs: unknown): string {
  if (typeof inputs !== 'object' || inputs === null || !('query' in inputs)) return '';
  const { query } = inputs;
  return typeof query === 'string' ? query.replaceAll(/'[^']*'|\d+/g, '') : '';
}

/** Computes the time in microseconds during which at least one of the steps ran. */
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

/** Returns a duration's share of the request, 0 to 1. */
export function measureShare({ trace }: ReadRequest, micros: number): number {
  return trace.duration_micros === 0 ? 0 : Math.min(1, micros / trace.duration_micros);
}

export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}
