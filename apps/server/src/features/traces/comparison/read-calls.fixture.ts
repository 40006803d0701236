import { type CapturedValue, type Step, Step as StepSchema } from '@throughline/contract';
import type { StoredTrace } from '../store.ts';
import type { ReadTrace } from './comparison.ts';

/** A call in a test, and the calls that it makes. */
export interface Call {
  readonly name: string;
  readonly inputs?: CapturedValue;
  readonly returns?: CapturedValue;
  readonly locals?: CapturedValue;
  readonly throws?: string;
  /** True for an asynchronous call whose promise no code awaited. */
  readonly detached?: boolean;
  /** True for a call that was not finished when the response was sent. */
  readonly unfinished?: boolean;
  /** The arguments at the end of the call, if the call changed them. */
  readonly parameters?: CapturedValue;
  /** For each variable whose object an earlier step shows: the id of that step, and the object's name in that step. */
  readonly seenBefore?: Readonly<Record<string, readonly [stepId: string, name: string]>>;
  readonly calls?: readonly Call[];
}

/** The response of a request. Without it, the status is 200, or 500 after an error. */
export interface Answer {
  readonly status: number;
  readonly body: CapturedValue;
}

/** Builds the trace of a request from a tree of calls. `body` is the request's body. */
export function readCalls(root: Call, body: CapturedValue = {}, answer?: Answer): ReadTrace {
  const steps: Step[] = [];
  let micros = 0;
  const readClock = () => `2026-01-01T00:00:00.${String(++micros).padStart(6, '0')}Z`;
  const add = (call: Call, parentStepId: string | null) => {
    const stepId = String(steps.length + 1);
    const at = steps.length;
    const startTime = readClock();
    const start = micros;
    // Reserves the index of this call in `steps`: the calls made by this call are added before this call is complete.
    steps.length += 1;
    for (const below of call.calls ?? []) add(below, stepId);
    const endTime = readClock();
    steps[at] = StepSchema.parse({
      stepId,
      parentStepId,
      sequence: at,
      stepName: call.name,
      functionName: call.name,
      filePath: 'src/app.ts',
      lineNumber: 1,
      stepType: 'function',
      startTime,
      endTime,
      duration: (micros - start) / 1000,
      ...(call.inputs === undefined ? {} : { inputs: call.inputs }),
      variables: {
        ...(call.locals === undefined ? {} : { localVariables: call.locals }),
        ...(call.parameters === undefined ? {} : { parameters: call.parameters }),
        ...(call.returns === undefined ? {} : { returnValue: call.returns }),
        ...(call.seenBefore === undefined ? {} : { seenBefore: call.seenBefore }),
      },
      error: call.throws === undefined ? null : { message: call.throws },
      ...(call.detached === true ? { metadata: { detached: true } } : {}),
      ...(call.unfinished === true ? { metadata: { unfinished: true } } : {}),
    });
  };
  add(root, null);
  const failed = root.throws !== undefined;
  const trace = {
    method: 'POST',
    route: '/orders',
    path: '/orders',
    start_micros: 0n,
    message: '',
    code: '',
    has_error: failed,
    status_code: answer?.status ?? (failed ? 500 : 200),
    response_body: answer === undefined ? '' : JSON.stringify(answer.body),
    request_headers: '',
    duration_micros: 1000,
    request_query: '',
    request_body: JSON.stringify(body),
  } as unknown as StoredTrace;
  return { trace, steps, values: true };
}
