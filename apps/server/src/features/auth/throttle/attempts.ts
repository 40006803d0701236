import { AppError } from '../../../platform/http/errors.ts';
import type { LoginThrottle } from './login-throttle.ts';

/** The message after too many wrong codes, during login and within a session. */
export const TOO_MANY_CODES = 'Too many wrong codes. Wait, then try again.';

/** An attempt that the rate limit allows. */
export interface Attempt {
  /** Call this method if the secret was correct; see {@link LoginThrottle.succeeded}. */
  succeeded(): Promise<void>;
}

/** Counts an attempt to guess a secret of `account`. @throws AppError `too_many_requests` with the time to wait */
export async function countAttempt(
  throttle: LoginThrottle,
  account: string,
  address: string,
  message: string,
): Promise<Attempt> {
  const waitMs = await throttle.attempt(account, address);
  if (waitMs > 0) throw new AppError('too_many_requests', message, { retryAfterSeconds: waitMs / 1000 });
  return { succeeded: () => throttle.succeeded(account, address) };
}
