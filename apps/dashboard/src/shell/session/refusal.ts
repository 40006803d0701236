import { ApiError, TEXTS } from '@throughline/contract';

/** Returns the server's error response; undefined if there was no response, or the error is of another kind. */
export function findRefusal(error: unknown): ApiError | undefined {
  return error instanceof ApiError && error.status !== 0 ? error : undefined;
}

/** Explains a failed action in the server's words, or as a network error; undefined if nothing failed. */
export function explainFailure(error: Error | null): string | undefined {
  return error === null ? undefined : (findRefusal(error)?.message ?? TEXTS.networkError);
}
