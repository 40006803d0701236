import { DECOY } from './password-cost.ts';
import { PasswordThreads } from './password-threads.ts';

/** All servers in one process share the threads. */
const threads = new PasswordThreads();

/**
 * Returns an argon2id hash in its standard notation. Normalizes the password to NFC, so that the same letters typed on another system are
 * the same password.
 * @throws AppError `overloaded`
 */
export function hashPassword(password: string): Promise<string> {
  return threads.hash(password.normalize('NFC'));
}

/**
 * Returns true if the password matches. An undefined `passwordHash` (no such account) never matches, but the check takes as long as for an
 * existing account.
 * @throws AppError `overloaded`
 */
export async function matchesPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await threads.matches(password.normalize('NFC'), passwordHash ?? DECOY);
  return matches && passwordHash !== undefined;
}
