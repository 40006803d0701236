import type { StandsOut } from '@throughline/contract';

/** The step that is nearest to the cause of what is unusual in a request, such as an error or a long duration. */
export interface Cause {
  readonly stepId: string;
  /** True if the step is one of many calls that are slow only together. */
  readonly isRepeated: boolean;
}

/** Returns the step on which the server wants the request to open; undefined if the server names no step. */
export function findCause({ opening, statements: [first] }: StandsOut): Cause | undefined {
  return opening === null ? undefined : { stepId: opening, isRepeated: first?.rule === 'repeated_call' };
}
