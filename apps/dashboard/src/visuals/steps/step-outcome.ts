import { isErrorTrace, type Step, type Trace } from '@throughline/contract';

/** How a step that threw is shown: `failed` if the request failed, `handled` if the request succeeded although the step threw. */
export type ThrownAs = 'failed' | 'handled';
export type StepOutcome = ThrownAs | 'ended';

/** The words for a step that threw, in every view. */
export const THROWN_WORDS: Readonly<Record<ThrownAs, string>> = {
  failed: 'failed',
  handled: 'error handled',
};

/** Shorter words with the same meaning, for places with little space. */
export const SHORT_THROWN_WORDS: Readonly<Record<ThrownAs, string>> = {
  failed: 'failed',
  handled: 'handled',
};

/** Decides how all views of a trace show the steps that threw. */
export function decideThrownAs({
  response,
  error,
}: {
  readonly response: Pick<Trace['response'], 'statusCode'>;
  readonly error: Pick<Trace['error'], 'hasError'>;
}): ThrownAs {
  return isErrorTrace(response.statusCode, error.hasError) ? 'failed' : 'handled';
}

export function findOutcome({ error }: Pick<Step, 'error'>, thrownAs: ThrownAs): StepOutcome {
  return error === null ? 'ended' : thrownAs;
}
