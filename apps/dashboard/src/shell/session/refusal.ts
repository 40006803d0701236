import { ApiError } from '@throughline/contract';

/** Finds what the server said to a call that failed; undefined where no answer came, or the failure is another's. */
export function findRefusal(error: unknown): ApiError | undefined {
  return error instanceof ApiError && error.status !== 0 ? error : undefined;
}
