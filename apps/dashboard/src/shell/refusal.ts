import { ApiError } from '@throughline/contract';

/** What the server said to a call that failed; undefined where it was not reached, or the failure is another's. */
export function refusalOf(error: unknown): ApiError | undefined {
  return error instanceof ApiError && error.code !== 'network_failure' ? error : undefined;
}
