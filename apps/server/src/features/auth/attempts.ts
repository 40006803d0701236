import { AppError } from '../../platform/http/errors.ts';
import type { LoginThrottle } from './login-throttle.ts';

/** Message after too many wrong codes, in the second step of a login and within a session. */
export const TOO_MANY_CODES = 'Too many wrong codes. Please wait and try again.';

/** An attempt that was let through. */
export interface Attempt {
  /** It was right: nothing counts against the account here any more. */
  succeeded(): void;
}

/** Counts an attempt to guess a secret of `account`. @throws AppError `too_many_requests` with the time to wait */
export function countAttempt(
  throttle: LoginThrottle,
  account: string,
  address: string,
  message: string,
): Attempt {
  const waitMs = throttle.attempt(account, address);
  if (waitMs > 0) throw new AppError('too_many_requests', message, { retryAfterSeconds: waitMs / 1000 });
  return { succeeded: () => throttle.succeeded(account, address) };
}
