import { type CapturedValue, formatInstant, type Step, type ValueLink } from '@throughline/contract';
import { formatPath } from '@throughline/contract/captured';
import type { StoredTrace } from '../store.ts';
import type { SearchedTrace } from './value-origin.ts';

type Planned = Partial<Step> & {
  readonly id: string;
  readonly parent?: string;
  /** Start and end in microseconds. */
  readonly at: readonly [number, number];
};

/** Builds a trace of planned steps, with the request's parts as values. */
export function planTrace(
  steps: readonly Planned[],
  {
    path = '/checkout',
    body,
    query,
    answer,
  }: {
    readonly path?: string;
    readonly body?: CapturedValue;
    readonly query?: CapturedValue;
    readonly answer?: CapturedValue;
  } = {},
): SearchedTrace {
  const write = (value: CapturedValue | undefined) => (value === undefined ? '' : JSON.stringify(value));
  const trace = {
    method: 'POST',
    path,
    request_query: write(query),
    request_headers: '',
    request_body: write(body),
    response_headers: '',
    response_body: write(answer),
  } as unknown as StoredTrace;
  // Copies the steps as if read from the store, so that they share no objects.
  return { trace, steps: steps.map((step, at) => JSON.parse(JSON.stringify(planStep(step, at)))) };
}

function planStep({ id, parent, at: [from, to], ...more }: Planned, sequence: number): Step {
  return {
    stepId: id,
    parentStepId: parent ?? null,
    sequence,
    stepName: id,
    stepType: 'function',
    startTime: formatInstant(BigInt(from)),
    endTime: formatInstant(BigInt(to)),
    duration: (to - from) / 1000,
    functionName: id,
    filePath: null,
    lineNumber: null,
    error: null,
    ...more,
  };
}

/** Formats a link as one line: `taxFor parameters country (equal-text)`. */
export function writeLine({ stepId, place, path, how }: ValueLink): string {
  return [stepId, place, formatPath(path), `(${how})`]
    .filter((part) => part !== null && part !== '')
    .join(' ');
}
