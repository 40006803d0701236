import { TEXTS } from '@throughline/contract';
import { findRefusal } from '../../shell/refusal.ts';

/**
 * What a failed login or registration says: the server's own words; `otherwise` where it gave none;
 * the network's text where it was not reached.
 */
export function failureText(error: unknown, otherwise: string): string {
  const refusal = findRefusal(error);
  if (refusal === undefined) return TEXTS.networkFailure;
  return refusal.code === 'unreadable_answer' ? otherwise : refusal.message;
}
