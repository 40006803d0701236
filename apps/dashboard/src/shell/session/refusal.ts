import { ApiError, TEXTS } from '@throughline/contract';

/** Returns the server's error response; undefined if there was no response, or the error is of another kind. */
export function findRefusal(error: unknown): ApiError | undefined {
  return error instanceof ApiError && error.status !== 0 ? error : undefined;
}

/** Returns the reason of a failed action: the server's message, or a message about the network if no response arrived. */
function describeReason(error: Error): string {
  if (error instanceof ApiError && error.code === 'no_answer') return error.message;
  return findRefusal(error)?.message ?? TEXTS.networkError;
}

/** Returns the message for a failed action: the action, then the reason. "The project could not be renamed. It was deleted." */
export function explainFailure(action: string, error: Error): string {
  return `${action}${action.endsWith('.') ? '' : ':'} ${describeReason(error)}`;
}

/** Messages of one action for failures in which the server gives no reason. */
interface Prescribed {
  /** Shown if the server gave no reason. */
  readonly wordless: string;
  /** Shown if the server could not be reached. */
  readonly unreachable?: string;
}

/**
 * Returns the server's reason for a failure. Returns `wordless` if the server gave no reason, and `unreachable` if it could not be reached.
 */
export function preferReason(
  error: Error,
  { wordless, unreachable = TEXTS.networkError }: Prescribed,
): string {
  const refusal = findRefusal(error);
  if (refusal === undefined) return unreachable;
  return refusal.code === 'unreadable_answer' || refusal.code === 'internal' ? wordless : refusal.message;
}

/**
 * Returns a function that writes "action: the server's reason". Without a reason, the function returns `wordless`; if the server could not
 * be reached, `unreachable`.
 */
export function buildRefusalText(
  action: string,
  { wordless, unreachable }: Prescribed,
): (error: Error) => string {
  return (error) => {
    const reason = preferReason(error, {
      wordless: '',
      ...(unreachable === undefined ? {} : { unreachable }),
    });
    if (reason === '') return wordless;
    return findRefusal(error) === undefined ? reason : `${action}: ${reason}`;
  };
}
