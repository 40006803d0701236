import { DECOY } from './password-cost.ts';
import { PasswordThreads } from './password-threads.ts';

/** One set of threads for the process, however many servers it runs. */
const threads = new PasswordThreads();

/** argon2id in its own notation. The same letters typed on another system are the same password (NFC). @throws AppError `overloaded` */
export function hashPassword(password: string): Promise<string> {
  return threads.hash(password.normalize('NFC'));
}

/**
 * Returns true where the password matches. An undefined `passwordHash` (no such account) never matches, and takes as long.
 * @throws AppError `overloaded`
 */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await threads.matches(password.normalize('NFC'), passwordHash ?? DECOY);
  return matches && passwordHash !== undefined;
}
