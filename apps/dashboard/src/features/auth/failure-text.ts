import { TEXTS } from '@throughline/contract';
import { findRefusal } from '../../shell/session/refusal.ts';

/**
 * The text for a failed login or registration: the server's own words, `otherwise` if it gave none, or the network's text if the server was
 * not reached.
 */
export function failureText(error: unknown, otherwise: string): string {
  const refusal = findRefusal(error);
  if (refusal === undefined) return TEXTS.networkFailure;
  return refusal.code === 'unreadable_answer' ? otherwise : refusal.message;
}
