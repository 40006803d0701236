import type { CapturedValue } from '@throughline/contract';

type Fields = { [name: string]: CapturedValue };

/** A trace under construction, with its service and its only step. Putting a value into a field can add the field. */
export interface TraceDraft {
  readonly service: { name: string; version?: string };
  readonly trace: {
    readonly request: {
      method: string;
      path: string;
      route: string;
      readonly headers: Fields;
      readonly query: Fields;
    };
    readonly response: { statusCode: number; readonly headers: Fields };
    readonly timing: { readonly startTime: string; readonly duration: number };
    readonly error: { hasError: boolean };
    readonly user: Fields;
    readonly attributes: Fields;
    readonly flow: readonly TraceDraft['step'][];
  };
  readonly step: {
    readonly stepId: string;
    readonly parentStepId: null;
    readonly sequence: number;
    stepName: string;
    readonly stepType: 'function';
    readonly startTime: string;
    readonly duration: number;
    readonly variables: {
      readonly capturedAt: 'exit';
      readonly parameters: Fields;
      readonly localVariables: Fields;
    };
    readonly error: Fields & { message: string };
  };
}

/** Creates a trace of one failed step that contains no secrets. */
export function createDraft(startTime: string): TraceDraft {
  const step: TraceDraft['step'] = {
    stepId: 'only-step',
    parentStepId: null,
    sequence: 0,
    stepName: 'charge',
    stepType: 'function',
    startTime,
    duration: 3,
    variables: { capturedAt: 'exit', parameters: {}, localVariables: {} },
    error: { message: 'declined' },
  };
  return {
    service: { name: 'shop' },
    step,
    trace: {
      request: { method: 'POST', path: '/orders', route: '/orders', headers: {}, query: {} },
      response: { statusCode: 201, headers: {} },
      timing: { startTime, duration: 12 },
      error: { hasError: false },
      user: { id: 'ada' },
      attributes: {},
      flow: [step],
    },
  };
}
