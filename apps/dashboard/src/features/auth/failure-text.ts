import { TEXTS } from '@throughline/contract';
import { findRefusal } from '../../shell/session/refusal.ts';

/**
 * Returns the message for a failed login or registration: usually the server's message. Returns `otherwise` if the response could not be
 * read, and the message for network failures if there was no response.
 */
export function formatFailure(error: unknown, otherwise: string): string {
  const refusal = findRefusal(error);
  if (refusal === undefined) return TEXTS.networkFailure;
  return refusal.code === 'unreadable_answer' ? otherwise : refusal.message;
}
