import { type ConfirmWith, type Route, TEXTS } from '@throughline/contract';
import { z } from 'zod';
import { AppError } from './errors.ts';
import type { Caller, Guard } from './guard.ts';

const Email = z.object({ email: z.string() });

/**
 * @throws AppError `reauthentication_required` if the route requires recent authentication and the caller's last
 * authentication is too old
 */
export async function requireRecentAuthentication(
  guard: Guard,
  route: Pick<Route, 'recentAuthentication'>,
  caller: Caller,
  body: unknown,
): Promise<void> {
  const { recentAuthentication } = route;
  if (recentAuthentication === undefined) return;
  if (recentAuthentication === 'email-change' && Email.safeParse(body).data?.email === caller.email) return;
  const confirmWith = await guard.confirmation(caller);
  if (confirmWith !== undefined) throw buildReauthenticationError(confirmWith);
}

export function buildReauthenticationError(confirmWith: ConfirmWith): AppError {
  return new AppError('reauthentication_required', TEXTS.confirmIdentity, { details: { confirmWith } });
}
