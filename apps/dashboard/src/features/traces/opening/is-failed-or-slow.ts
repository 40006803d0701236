import { isErrorTrace } from '@throughline/contract';
import type { LoadedTrace } from '../data/queries.ts';
import { isSlow } from './is-slow.ts';

/** True for a request that users open to find out what went wrong. */
export function isFailedOrSlow({ trace: { response, error, timing }, usual }: LoadedTrace): boolean {
  return isErrorTrace(response.statusCode, error.hasError) || isSlow(timing.duration, usual);
}
