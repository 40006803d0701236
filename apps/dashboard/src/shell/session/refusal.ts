import { ApiError } from '@throughline/contract';

/** Returns the server's error response; undefined if there was no response, or the error is of another kind. */
export function findRefusal(error: unknown): ApiError | undefined {
  return error instanceof ApiError && error.status !== 0 ? error : undefined;
}
