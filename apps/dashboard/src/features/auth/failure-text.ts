import { ApiError, TEXTS } from '@throughline/contract';

/**
 * What a failed login or registration says: the server's own words; `otherwise` where it gave none;
 * the network's text where it was not reached.
 */
export function failureText(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) return TEXTS.networkFailure;
  if (error.code === 'network_failure') return TEXTS.networkFailure;
  return error.code === 'unreadable_answer' ? otherwise : error.message;
}
