import { TEXTS } from '@throughline/contract';
import { findRefusal } from '../../shell/session/refusal.ts';

/**
 * Returns the message for a failed login or registration: the server's message, `otherwise` if the response has no message,
 * or the network error message if the server could not be reached.
 */
export function formatFailure(error: unknown, otherwise: string): string {
  const refusal = findRefusal(error);
  if (refusal === undefined) return TEXTS.networkFailure;
  return refusal.code === 'unreadable_answer' ? otherwise : refusal.message;
}
