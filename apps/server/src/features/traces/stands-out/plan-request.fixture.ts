import type { CapturedValue, UsualDuration } from '@throughline/contract';
import type { ExaminedStep, GrownList, ReadRequest } from '../statements/read-request.ts';
import type { StoredTrace } from '../store.ts';
import type { ResponseSize } from '../usual/response-size.ts';

const MS = 1000;

/** A step in a test; times in milliseconds. */
export interface Planned {
  readonly id?: string;
  readonly parent?: string;
  readonly name?: string;
  readonly type?: string;
  readonly at: number;
  readonly ms: number;
  readonly calls?: number;
  readonly failed?: boolean;
  readonly inputs?: CapturedValue | undefined;
  readonly outputs?: CapturedValue;
  readonly self?: number;
  readonly hasNaN?: string;
  readonly passesNaN?: boolean;
}

/** Builds a request from planned steps; times in milliseconds. */
export function plan(
  ms: number,
  steps: readonly Planned[],
  more: {
    readonly usual?: UsualDuration;
    readonly blockedMs?: number;
    readonly size?: ResponseSize;
    readonly grown?: GrownList;
    readonly status?: number;
    readonly response?: string;
  } = {},
): ReadRequest {
  const trace = {
    id: 't',
    duration_micros: ms * MS,
    event_loop_delay: more.blockedMs ?? 0,
    has_error: false,
    status_code: more.status ?? 200,
    response_body: more.response ?? '',
  } as unknown as StoredTrace;
  const { usual = null, size = null, grown = null } = more;
  return { trace, usual, size, grown, steps: steps.map(planStep) };
}

function planStep(step: Planned, at: number): ExaminedStep {
  const { type = 'database', name = 'SELECT orders', inputs, outputs } = step;
  return {
    trace: 't',
    stepId: step.id ?? `s${at}`,
    parentStepId: step.parent ?? 'handler',
    name,
    asks: '',
    type,
    startMicros: step.at * MS,
    durationMicros: step.ms * MS,
    selfMicros: (step.self ?? step.ms) * MS,
    calls: step.calls ?? 1,
    failed: step.failed ?? false,
    hasNaN: step.hasNaN,
    passesNaN: step.passesNaN ?? step.hasNaN === 'return value',
    inputs,
    outputs,
  };
}

/** Plans calls that follow each other. */
export const inARow = (count: number, ms: number, more: Partial<Planned> = {}) =>
  Array.from({ length: count }, (_, at) => ({ at: at * ms, ms, ...more }));
